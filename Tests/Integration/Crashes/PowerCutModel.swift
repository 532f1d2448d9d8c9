import Foundation
import StoreModel

/// A directory after recorded calls, by inode, from which some of the changes can be omitted.
///
/// After a power failure, synced changes are on disk. Which of the others may be lost, ``PowerCutRules`` says.
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
        case received(ReceivedEvent)
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
        /// The directories that contain the names afterwards.
        var destinations: [Int] {
            if case .move(_, _, let to, _, _) = self { [to] } else { folders }
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
    private(set) var names: [Int: [String: Int]] = [0: [:]]
    private(set) var contents: [Int: Data] = [:]
    private(set) var links: [Int: String] = [:]
    private(set) var steps: [Step] = []
    /// The files and directories whose inodes each step changes.
    private(set) var changedNodes: [Set<Int>] = []
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
        var sizes = contents.mapValues(\.count)
        for call in recording {
            let step = Self.step(call, present, &next, &names, &contents, &links)
            Self.apply(step, to: &present)
            for node in names.keys where present[node] == nil { present[node] = [:] }
            steps.append(step)
            changedNodes.append(Self.changedNodes(step, &sizes))
            if call.kind == .confirmed { confirmedAt = steps.count }
        }
    }

    /// Returns the files and directories whose inodes a step changes.
    ///
    /// An overwrite changes the time of modification, but only once per tick of the kernel's clock. An exchange within a
    /// directory changes the exchanged inodes only on some file systems (`xfs_cross_rename` in fs/xfs/xfs_inode.c).
    private static func changedNodes(_ step: Step, _ sizes: inout [Int: Int]) -> Set<Int> {
        switch step {
        case .exchange(let folder, _, _, let with, _, _) where folder == with: return [folder]
        case .write(let node, let offset, let data):
            guard offset + data.count > sizes[node] ?? 0 else { return [] }
            sizes[node] = offset + data.count
            return [node]
        case .resize(let node, let size):
            sizes[node] = size
            return [node]
        default: return Set(step.folders + step.nodes)
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
        case .received: return ReceivedEvent(call.data).map(Step.received) ?? .nothing
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

    static func apply(_ step: Step, to names: inout [Int: [String: Int]]) {
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
}
