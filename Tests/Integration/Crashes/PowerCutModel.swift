import Foundation
import StoreModel

/// A directory after recorded calls, by inode, from which some of the changes can be omitted.
///
/// After a power failure, synced changes are on disk. Of the others, names (directory entries) and bytes may be lost
/// independently, as in file systems.
struct PowerCutModel: Sendable {
    /// The effect of a call, with files and directories by number.
    enum Step: Sendable {
        case add(folder: Int, name: String, node: Int)
        case remove(folder: Int, name: String, node: Int)
        case move(folder: Int, name: String, to: Int, newName: String, node: Int)
        case exchange(folder: Int, name: String, node: Int, with: Int, otherName: String, other: Int)
        case write(node: Int, offset: Int, data: Data)
        case resize(node: Int, size: Int)
        case sync(node: Int, isBytesOnly: Bool)
        case syncAll
        case confirmed
        case nothing

        var isName: Bool {
            switch self {
            case .add, .remove, .move, .exchange: true
            default: false
            }
        }
        /// The directories whose entries the step changes.
        var folders: [Int] {
            switch self {
            case .add(let folder, _, _), .remove(let folder, _, _): [folder]
            case .move(let folder, _, let other, _, _), .exchange(let folder, _, _, let other, _, _): [folder, other]
            default: []
            }
        }
        /// The files and directories whose names the step changes.
        var nodes: [Int] {
            switch self {
            case .add(_, _, let node), .remove(_, _, let node), .move(_, _, _, _, let node): [node]
            case .exchange(_, _, let node, _, _, let other): [node, other]
            default: []
            }
        }
        /// The file whose bytes the step changes.
        var written: Int? {
            switch self {
            case .write(let node, _, _), .resize(let node, _): node
            default: nil
            }
        }
    }

    /// The state at the start of the recording, all of which is on disk.
    private var names: [Int: [String: Int]] = [0: [:]]
    private var contents: [Int: Data] = [:]
    private var links: [Int: String] = [:]
    private(set) var steps: [Step] = []
    let calls: [RecordedCall]
    /// The step after which success was confirmed.
    private(set) var confirmedAt: Int?

    init(from tree: FolderTree?, _ recording: [RecordedCall]) {
        calls = recording
        var next = 1
        for (path, entry) in (tree ?? FolderTree()).entries.sorted(by: { $0.key < $1.key }) {
            guard let (folder, name) = Self.place(path, in: names) else { continue }
            names[folder]?[name] = next
            switch entry {
            case .folder: names[next] = [:]
            case .file(let data): contents[next] = data
            case .link(let target): links[next] = target
            }
            next += 1
        }
        var present = names
        for call in recording {
            let step = Self.step(call, present, &next, &names, &contents, &links)
            Self.apply(step, to: &present)
            for node in names.keys where present[node] == nil { present[node] = [:] }
            steps.append(step)
            if call.kind == .confirmed { confirmedAt = steps.count }
        }
    }

    private static func node(_ path: String, in names: [Int: [String: Int]]) -> Int? {
        var node = 0
        for part in path.split(separator: "/") {
            guard let next = names[node]?[String(part)] else { return nil }
            node = next
        }
        return node
    }

    private static func place(_ path: String, in names: [Int: [String: Int]]) -> (folder: Int, name: String)? {
        let parts = path.split(separator: "/")
        guard let last = parts.last, let folder = node(parts.dropLast().joined(separator: "/"), in: names) else {
            return nil
        }
        return (folder, String(last))
    }

    /// Returns a call with its paths resolved.
    ///
    /// New files and directories get a number, and begin empty.
    private static func step(
        _ call: RecordedCall, _ present: [Int: [String: Int]], _ next: inout Int, _ names: inout [Int: [String: Int]],
        _ contents: inout [Int: Data], _ links: inout [Int: String]
    ) -> Step {
        switch call.kind {
        case .confirmed: return .confirmed
        case .syncedAll: return .syncAll
        case .made, .madeFolder, .linkedSoftly:
            // The recorded directory may itself be created during the recording.
            guard let (folder, name) = place(call.path, in: present) else { return .nothing }
            defer { next += 1 }
            switch call.kind {
            case .madeFolder: names[next] = [:]
            case .made: contents[next] = Data()
            default: links[next] = call.other
            }
            return .add(folder: folder, name: name, node: next)
        case .linked:
            guard let node = node(call.path, in: present), let (folder, name) = place(call.other, in: present) else {
                return .nothing
            }
            return .add(folder: folder, name: name, node: node)
        case .removed:
            guard let (folder, name) = place(call.path, in: present), let node = present[folder]?[name] else {
                return .nothing
            }
            return .remove(folder: folder, name: name, node: node)
        case .renamed:
            guard let (folder, name) = place(call.path, in: present), let node = present[folder]?[name],
                let (to, newName) = place(call.other, in: present)
            else { return .nothing }
            guard call.first & 2 != 0, let other = present[to]?[newName] else {
                return .move(folder: folder, name: name, to: to, newName: newName, node: node)
            }
            return .exchange(folder: folder, name: name, node: node, with: to, otherName: newName, other: other)
        case .wrote, .cut, .allocated, .synced:
            // A file without a name belongs to no directory.
            guard let node = node(call.path, in: present) else { return .nothing }
            switch call.kind {
            case .wrote: return .write(node: node, offset: call.first, data: call.data)
            case .cut: return .resize(node: node, size: call.first)
            case .synced: return .sync(node: node, isBytesOnly: call.first != 0 && present[node] == nil)
            // Reserves space, and does not change existing bytes or shorten the file.
            default: return .write(node: node, offset: call.first + call.second, data: Data())
            }
        }
    }

    private static func apply(_ step: Step, to names: inout [Int: [String: Int]]) {
        switch step {
        case .add(let folder, let name, let node):
            names[folder, default: [:]][name] = node
        case .remove(let folder, let name, let node):
            if names[folder]?[name] == node { names[folder]?[name] = nil }
        case .move(let folder, let name, let to, let newName, let node):
            guard names[folder]?[name] == node else { return }
            names[folder]?[name] = nil
            names[to, default: [:]][newName] = node
        case .exchange(let folder, let name, let node, let with, let otherName, let other):
            guard names[folder]?[name] == node, names[with]?[otherName] == other else { return }
            names[folder]?[name] = other
            names[with]?[otherName] = node
        default: break
        }
    }

    // MARK: States after a power failure

    /// The state of a file's bytes that no sync covered.
    enum Bytes: Sendable, CaseIterable {
        case there
        case missing
        /// The file has its full length, with zeros instead of the bytes.
        case zeros
        /// Half of the writes are on disk, and the last one of these partially.
        case torn
    }

    /// Returns the number of steps up to `end` that precede the last sync, which makes all earlier names durable on a
    /// journaling file system.
    func coveredNames(before end: Int) -> Int {
        for index in (0..<end).reversed() {
            switch steps[index] {
            case .syncAll, .sync(_, isBytesOnly: false): return index
            default: break
            }
        }
        return 0
    }

    /// Returns the changes of names up to `end` that neither a sync of their directories nor one of the file system
    /// covers.
    func uncoveredNames(before end: Int) -> [Int] {
        // Durable are also directories that were synced later, and files and directories that a durable change refers
        // to, together with the changes that made that possible.
        var covered: Set<Int> = []
        var found: Set<Int> = []
        var uncovered: [Int] = []
        for index in (0..<end).reversed() {
            switch steps[index] {
            case .syncAll: return uncovered.reversed()
            case .sync(let node, _): covered.insert(node)
            case let step where step.isName:
                if covered.isDisjoint(with: step.folders), found.isDisjoint(with: step.nodes) {
                    uncovered.append(index)
                } else {
                    found.formUnion(step.nodes)
                }
            default: break
            }
        }
        return uncovered.reversed()
    }

    /// Returns the files on disk after a power failure following `end` steps.
    ///
    /// - Parameters:
    ///   - isThere: returns whether a change of names is on disk.
    ///   - bytes: returns the state of the bytes of a file with unsynced bytes.
    func tree(after end: Int, names isThere: (Int) -> Bool, bytes: (Int) -> Bytes) -> FolderTree {
        var present = names
        for index in 0..<end where steps[index].isName && isThere(index) { Self.apply(steps[index], to: &present) }
        let bytesOf = Dictionary(grouping: (0..<end).filter { steps[$0].written != nil }) { steps[$0].written ?? 0 }
        var syncedAt: [Int: Int] = [:]
        var allSyncedAt = 0
        for index in 0..<end {
            switch steps[index] {
            case .syncAll: allSyncedAt = index
            case .sync(let node, _): syncedAt[node] = index
            default: break
            }
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
                    let covered = max(syncedAt[node] ?? 0, allSyncedAt)
                    let writes = bytesOf[node] ?? []
                    let isOpen = writes.contains { $0 > covered }
                    tree.entries[path] = .file(
                        content(of: node, writes, covered: covered, isOpen ? bytes(node) : .there))
                }
            }
        }
        collect(0, "")
        return tree
    }

    private func content(of node: Int, _ writes: [Int], covered: Int, _ bytes: Bytes) -> Data {
        var content = contents[node] ?? Data()
        let open = writes.filter { $0 > covered }
        for index in writes where index <= covered { Self.change(&content, steps[index]) }
        switch bytes {
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
        case .torn:
            for index in open.prefix(open.count / 2) { Self.change(&content, steps[index]) }
            if !open.isEmpty, case .write(_, let offset, let data) = steps[open[open.count / 2]] {
                Self.change(&content, .write(node: node, offset: offset, data: data.prefix(data.count / 2)))
            }
        }
        return content
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
