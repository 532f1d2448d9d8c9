import Foundation
import StoreModel
import StoreTestSupport

/// A possible state of a directory after a power failure.
struct PowerCutState: Sendable {
    let cut: PowerCut
    /// The names of the rules under which the state is possible.
    var fileSystems: Set<String>
    /// Whether success had been confirmed.
    let isConfirmed: Bool
    /// The events that a client had received.
    let received: [ReceivedEvent]
    /// The derivation of the state, for messages.
    let origin: String
}

extension PowerCutModel {
    /// Returns the states that are possible under some of the rules, each once.
    ///
    /// For each moment: all names up to it are on disk, only the durable ones, or a number in between. Without an order of
    /// names, each change that no sync of its directory covers is lost alone, and a random set of them is lost. Unsynced
    /// bytes are in each state that the rules allow, in all files alike or in each differently.
    func states(_ rules: [PowerCutRules], _ random: inout SeededGenerator) -> [PowerCutState] {
        var states: [SHA256Digest: PowerCutState] = [:]
        for rules in rules {
            for end in 0...steps.count {
                for (cut, origin) in cuts(rules, after: end, &random) {
                    let digest = tree(after: cut).digest
                    let known = states[digest]
                    // The later the moment of the same state, the more must be true of it: a confirmed action, events.
                    if known?.cut.end ?? -1 < end { states[digest] = state(after: cut, origin) }
                    states[digest]?.fileSystems.formUnion(known?.fileSystems ?? [])
                    states[digest]?.fileSystems.insert(rules.name)
                }
            }
        }
        return states.sorted { $0.key.hex < $1.key.hex }.map(\.value)
    }

    /// Returns states that are possible under the rules, after moments that are chosen at random.
    func sample(_ count: Int, _ rules: PowerCutRules, _ random: inout SeededGenerator) -> [PowerCutState] {
        (0..<count).compactMap { _ in
            let end = Int.random(in: 0...steps.count, using: &random)
            return cuts(rules, after: end, &random).randomElement(using: &random).map {
                state(after: $0.cut, $0.origin)
            }
        }
    }

    private func state(after cut: PowerCut, _ origin: String) -> PowerCutState {
        PowerCutState(
            cut: cut, fileSystems: [cut.rules.name], isConfirmed: confirmedAt.map { $0 <= cut.end } ?? false,
            received: received(before: cut.end), origin: origin)
    }

    private func received(before end: Int) -> [ReceivedEvent] {
        steps[..<end].compactMap { if case .received(let event) = $0 { event } else { nil } }
    }

    private func cuts(
        _ rules: PowerCutRules, after end: Int, _ random: inout SeededGenerator
    ) -> [(cut: PowerCut, origin: String)] {
        let last = end == 0 ? "the beginning" : "call \(end), \(calls[end - 1].description)"
        var cuts: [(cut: PowerCut, origin: String)] = []
        func add(_ what: String, lost: Set<Int>, bytes: [Int: PowerCut.Bytes] = [:], others: PowerCut.Bytes) {
            let cut = PowerCut(rules: rules, end: end, lostNames: lost, bytes: bytes, otherBytes: others)
            cuts.append((cut, "\(rules.name): \(what), after \(last)"))
        }
        let there = PowerCut.Bytes(state: .there)
        for state in rules.unsyncedBytes {
            add("all names, bytes \(state)", lost: [], others: PowerCut.Bytes(state: state, seed: random.next()))
        }
        for (what, lost) in orderedLosses(rules, after: end, &random) {
            let written = Set(steps[..<end].compactMap(\.written)).sorted()
            let bytes = written.map { node in
                let state = rules.unsyncedBytes.randomElement(using: &random) ?? .there
                return (node, PowerCut.Bytes(state: state, seed: random.next()))
            }
            add("\(what), bytes mixed", lost: lost, bytes: Dictionary(uniqueKeysWithValues: bytes), others: there)
            add(what, lost: lost, others: there)
        }
        guard rules.nameOrder == .none else { return cuts }
        let uncovered = uncovered(before: end)
        for lost in uncovered { add("without \(calls[lost].description)", lost: [lost], others: there) }
        if uncovered.count > 1 {
            let lost = Set(uncovered.filter { _ in Bool.random(using: &random) })
            add("without some of \(uncovered.count) names", lost: lost, others: PowerCut.Bytes(state: .missing))
        }
        return cuts
    }

    /// Returns sets of changes of names that are lost together: none, all that may be, and some in between.
    private func orderedLosses(
        _ rules: PowerCutRules, after end: Int, _ random: inout SeededGenerator
    ) -> [(what: String, lost: Set<Int>)] {
        let durable = rules.nameOrder == .transactionsAndInodes ? syncedCompletely(before: end) : journaled(before: end)
        let between = Int.random(in: durable...max(durable, end), using: &random)
        return Set([end, durable, between]).sorted().map { count in
            let logged = rules.nameOrder == .transactionsAndInodes ? logged(since: count, before: end) : []
            let lost = (count..<max(count, end)).filter { steps[$0].isName && !logged.contains($0) }
            return ("\(count) names and \(logged.count) logged", Set(lost))
        }
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
