import Foundation
import StoreModel
import StoreTestSupport

/// A possible state of a directory after a power failure.
struct PowerCutState: Sendable {
    let tree: FolderTree
    /// Whether success had been confirmed.
    let isConfirmed: Bool
    /// The derivation of the state, for messages.
    let origin: String
}

extension PowerCutModel {
    /// Returns the possible states, each once.
    ///
    /// For each moment: all names up to it are on disk, or only the durable ones, or a number in between, as a journal
    /// keeps them in order. In addition, for file systems without a journal: each change of names that no sync of its
    /// directory covers is missing alone, or a random set of them is missing. Unsynced bytes are on disk, missing,
    /// zeros or torn, in all files alike or in each differently.
    func states(_ random: inout SeededGenerator) -> [PowerCutState] {
        var states: [SHA256Digest: PowerCutState] = [:]
        func add(_ end: Int, _ origin: String, names: (Int) -> Bool, bytes: (Int) -> Bytes) {
            let isConfirmed = confirmedAt.map { $0 <= end } ?? false
            let tree = tree(after: end, names: names, bytes: bytes)
            let digest = tree.digest
            // The confirmed action must have taken effect; the same state without a confirmation has weaker
            // invariants.
            if let known = states[digest], known.isConfirmed || !isConfirmed { return }
            let last = end == 0 ? "the beginning" : "call \(end), \(calls[end - 1].description)"
            states[digest] = PowerCutState(tree: tree, isConfirmed: isConfirmed, origin: "\(origin) after \(last)")
        }
        for end in 0...steps.count {
            let covered = coveredNames(before: end)
            for bytes in Bytes.allCases {
                add(end, "all names, bytes \(bytes),", names: { _ in true }, bytes: { _ in bytes })
            }
            for names in Set([end, covered, Int.random(in: covered...max(covered, end), using: &random)]) {
                var chosen: [Int: Bytes] = [:]
                let mixed = { (node: Int) in
                    if let known = chosen[node] { return known }
                    let bytes = Bytes.allCases.randomElement(using: &random) ?? .there
                    chosen[node] = bytes
                    return bytes
                }
                add(end, "\(names) names, bytes mixed,", names: { $0 < names }, bytes: mixed)
                add(end, "\(names) names,", names: { $0 < names }, bytes: { _ in .there })
            }
            let open = uncoveredNames(before: end)
            for missing in open {
                add(end, "without \(calls[missing].description),", names: { $0 != missing }, bytes: { _ in .there })
            }
            if open.count > 1 {
                let missing = Set(open.filter { _ in Bool.random(using: &random) })
                let origin = "without some of \(open.count) names,"
                add(end, origin, names: { !missing.contains($0) }, bytes: { _ in .missing })
            }
        }
        return states.sorted { $0.key.hex < $1.key.hex }.map(\.value)
    }
}

extension FolderTree {
    /// A digest of all entries.
    var digest: SHA256Digest {
        var bytes = Data()
        for (path, entry) in entries.sorted(by: { $0.key < $1.key }) {
            bytes.append(Data(path.utf8))
            switch entry {
            case .folder: bytes.append(1)
            case .link(let target): bytes.append(Data("\u{2}\(target)".utf8))
            case .file(let data):
                bytes.append(3)
                Swift.withUnsafeBytes(of: data.count) { bytes.append(contentsOf: $0) }
                bytes.append(data)
            }
            bytes.append(0)
        }
        return SHA256Digest(of: bytes)
    }
}
