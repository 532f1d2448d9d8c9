import Foundation
import StoreModel

/// A folder as the recorded calls changed it, by inode, so that some of the changes can be left out.
///
/// What is known of a disk that loses power: what a sync covered is there. Of the rest, names (which file lies where) and
/// bytes are told apart, as file systems do.
struct PowerCutModel: Sendable {
    /// What a call did, with files and folders by number.
    enum Step: Sendable {
        case add(folder: Int, name: String, node: Int)
        case remove(folder: Int, name: String, node: Int)
        case move(folder: Int, name: String, to: Int, newName: String, node: Int)
        case exchange(folder: Int, name: String, node: Int, with: Int, otherName: String, other: Int)
        case write(node: Int, offset: Int, data: Data)
        case resize(node: Int, size: Int)
        case sync(node: Int, isBytesOnly: Bool)
        case syncAll
        case told
        case nothing

        var isName: Bool {
            switch self {
            case .add, .remove, .move, .exchange: true
            default: false
            }
        }
        /// The folders whose names it changes.
        var folders: [Int] {
            switch self {
            case .add(let folder, _, _), .remove(let folder, _, _): [folder]
            case .move(let folder, _, let other, _, _), .exchange(let folder, _, _, let other, _, _): [folder, other]
            default: []
            }
        }
        /// The files and folders whose names it changes.
        var nodes: [Int] {
            switch self {
            case .add(_, _, let node), .remove(_, _, let node), .move(_, _, _, _, let node): [node]
            case .exchange(_, _, let node, _, _, let other): [node, other]
            default: []
            }
        }
        /// The file whose bytes it changes.
        var written: Int? {
            switch self {
            case .write(let node, _, _), .resize(let node, _): node
            default: nil
            }
        }
    }

    /// What was there when the recording began; all of it is on the disk.
    private var names: [Int: [String: Int]] = [0: [:]]
    private var contents: [Int: Data] = [:]
    private var links: [Int: String] = [:]
    private(set) var steps: [Step] = []
    let calls: [RecordedCall]
    /// After which step somebody was told that it is done.
    private(set) var toldAt: Int?

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
            if call.kind == .told { toldAt = steps.count }
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

    /// A call with its paths resolved.
    ///
    /// New files and folders get a number, and begin empty.
    private static func step(
        _ call: RecordedCall, _ present: [Int: [String: Int]], _ next: inout Int, _ names: inout [Int: [String: Int]],
        _ contents: inout [Int: Data], _ links: inout [Int: String]
    ) -> Step {
        switch call.kind {
        case .told: return .told
        case .syncedAll: return .syncAll
        case .made, .madeFolder, .linkedSoftly:
            // The folder that is recorded may be made by the recording, too.
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
            // What has no name any more is nobody's.
            guard let node = node(call.path, in: present) else { return .nothing }
            switch call.kind {
            case .wrote: return .write(node: node, offset: call.first, data: call.data)
            case .cut: return .resize(node: node, size: call.first)
            case .synced: return .sync(node: node, isBytesOnly: call.first != 0 && present[node] == nil)
            // Keeps what is there, and makes the file no shorter.
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

    // MARK: What a cut leaves

    /// What becomes of a file's bytes that no sync covered.
    enum Bytes: Sendable, CaseIterable {
        case there
        case missing
        /// The length is that of the whole, and there are zeros where the bytes should be.
        case zeros
        /// Half of the writes are there, and the last of these half.
        case torn
    }

    /// The number of steps, up to `end`, behind the last sync that makes all names before it durable on a file system
    /// with a journal.
    func coveredNames(before end: Int) -> Int {
        for index in (0..<end).reversed() {
            switch steps[index] {
            case .syncAll, .sync(_, isBytesOnly: false): return index
            default: break
            }
        }
        return 0
    }

    /// The changes of names, up to `end`, that no sync of their own folders or of everything covers.
    func uncoveredNames(before end: Int) -> [Int] {
        // Folders that were synced later, and files and folders that a durable change of names has found there: what
        // made that possible is durable, too.
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

    /// What lies on the disk when the power goes after `end` steps.
    ///
    /// - Parameters:
    ///   - isThere: whether a change of names is there; asked for each.
    ///   - bytes: what became of a file's bytes; asked for each file with bytes that no sync covered.
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
                // Only what is new of the file can be without bytes.
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
