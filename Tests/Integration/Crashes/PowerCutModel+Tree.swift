import Foundation
import StoreTestSupport

/// A moment of a recording, and what of the changes before it is on disk.
struct PowerCut: Sendable {
    /// The state of a file's bytes that no sync covered.
    struct Bytes: Hashable, Sendable {
        var state: PowerCutRules.UnsyncedBytes
        /// Chooses the version of each page.
        var seed: UInt64 = 0
    }

    var rules: PowerCutRules
    /// The number of steps before the cut.
    var end: Int
    /// The changes of names that are not on disk.
    var lostNames: Set<Int> = []
    /// The state of the unsynced bytes of files; of those that are not in the list, `otherBytes`.
    var bytes: [Int: Bytes] = [:]
    var otherBytes = Bytes(state: .there)
}

extension PowerCutModel {
    /// The unit in which the kernel writes a file's bytes to the disk.
    private static let pageSize = 4096

    /// Returns the files on disk after a power failure.
    func tree(after cut: PowerCut) -> FolderTree {
        var present = names
        var syncedAt: [Int: Int] = [:]
        var allSyncedAt = -1
        for index in 0..<cut.end {
            let step = steps[index]
            switch step {
            case .syncAll: allSyncedAt = index
            case .sync(let node, _): syncedAt[node] = index
            case _ where step.isName && !cut.lostNames.contains(index):
                if cut.rules.replacesWithBytes, case .move(_, _, let to, let newName, let node) = step,
                    present[to]?[newName] != nil
                {
                    syncedAt[node] = index
                }
                Self.apply(step, to: &present)
            default: break
            }
        }
        let written = Dictionary(grouping: (0..<cut.end).filter { steps[$0].written != nil }) {
            steps[$0].written ?? 0
        }
        var tree = FolderTree()
        func collect(_ folder: Int, _ prefix: String) {
            for (name, node) in present[folder] ?? [:] {
                let path = prefix + name
                if names[node] != nil {
                    tree.entries[path] = .folder
                    collect(node, path + "/")
                } else if let target = links[node] {
                    tree.entries[path] = .link(target)
                } else {
                    let covered = max(syncedAt[node] ?? -1, allSyncedAt)
                    tree.entries[path] = .file(
                        content(of: node, written[node] ?? [], covered: covered, cut.bytes[node] ?? cut.otherBytes))
                }
            }
        }
        collect(0, "")
        return tree
    }

    private func content(of node: Int, _ writes: [Int], covered: Int, _ bytes: PowerCut.Bytes) -> Data {
        var content = contents[node] ?? Data()
        let open = writes.filter { $0 > covered }
        for index in writes where index <= covered { Self.change(&content, steps[index]) }
        switch bytes.state {
        case .there: for index in open { Self.change(&content, steps[index]) }
        case .missing: break
        case .zeros:
            let old = content.count
            for index in open {
                guard case .write(_, let offset, let data) = steps[index] else {
                    Self.change(&content, steps[index])
                    continue
                }
                // Only new bytes of the file can be missing.
                if offset + data.count > max(old, content.count) {
                    content.append(Data(count: offset + data.count - content.count))
                }
            }
        case .pages: writePages(&content, open, of: node, seed: bytes.seed)
        case .torn:
            for index in open.prefix(open.count / 2) { Self.change(&content, steps[index]) }
            if !open.isEmpty, case .write(_, let offset, let data) = steps[open[open.count / 2]] {
                Self.change(&content, .write(node: node, offset: offset, data: data.prefix(data.count / 2)))
            }
        }
        return content
    }

    /// Applies each write to a random subset of its pages: to a page, all writes up to some moment.
    private func writePages(_ content: inout Data, _ writes: [Int], of node: Int, seed: UInt64) {
        func lastWrite(ofPage page: Int) -> Int {
            var random = SeededGenerator(seed: seed ^ UInt64(node) << 32 ^ UInt64(page))
            return writes.randomElement(using: &random).map { Bool.random(using: &random) ? $0 : $0 - 1 } ?? 0
        }
        for index in writes {
            guard case .write(_, let offset, let data) = steps[index] else {
                Self.change(&content, steps[index])
                continue
            }
            var begin = 0
            while begin < data.count {
                let page = (offset + begin) / Self.pageSize
                let end = min(data.count, (page + 1) * Self.pageSize - offset)
                if index <= lastWrite(ofPage: page) {
                    let part = Data(data[data.startIndex + begin..<data.startIndex + end])
                    Self.change(&content, .write(node: node, offset: offset + begin, data: part))
                }
                begin = end
            }
        }
    }

    private static func change(_ content: inout Data, _ step: Step) {
        switch step {
        case .write(_, let offset, let data):
            if content.count < offset + data.count {
                content.append(Data(count: offset + data.count - content.count))
            }
            content.replaceSubrange(offset..<(offset + data.count), with: data)
        case .resize(_, let size):
            content = content.prefix(size) + Data(count: Swift.max(0, size - content.count))
        default: break
        }
    }
}
