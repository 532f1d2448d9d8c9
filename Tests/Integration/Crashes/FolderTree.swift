import Foundation
import StoreModel
import StoreSystem

/// The files beneath a directory, in memory.
struct FolderTree: Hashable, Sendable {
    enum Entry: Hashable, Sendable {
        case folder
        case file(Data)
        case link(String)
    }
    /// The entries by relative path.
    var entries: [String: Entry] = [:]

    init() {}

    /// Reads a directory; empty if there is none.
    ///
    /// Sockets are left out, and so is a file that is removed during the reading.
    init(of path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try collect(try Directory.open(path), "")
    }

    private mutating func collect(_ folder: Directory, _ prefix: String) throws {
        for entry in try folder.entries() {
            let path = prefix + entry.name
            do {
                switch entry.kind {
                case .folder:
                    entries[path] = .folder
                    try collect(try folder.openDirectory(entry.name), path + "/")
                case .file: entries[path] = .file(try folder.read(entry.name, limit: 1 << 30))
                case .link:
                    entries[path] = .link(
                        try FileManager.default.destinationOfSymbolicLink(atPath: folder.shortPath + "/" + entry.name))
                case .other: break
                }
            } catch let error as StoreError where error.isMissing {
                entries[path] = nil
            }
        }
    }

    /// Writes the files to a path that does not exist yet.
    func write(to path: String) throws {
        let root = try Directory.create(path)
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
            switch entry {
            case .folder: try root.makeDirectory(name)
            case .file(let data): try root.createFile(name, mode: 0o600).write(data)
            case .link(let target):
                guard symlinkat(target, root.descriptor, name) == 0 else { throw POSIXError(.EIO) }
            }
        }
    }

    /// Returns the files beneath a subdirectory.
    func beneath(_ folder: String) -> FolderTree {
        var tree = FolderTree()
        for (path, entry) in entries where path.hasPrefix(folder + "/") {
            tree.entries[String(path.dropFirst(folder.count + 1))] = entry
        }
        return tree
    }

    /// Returns the names of the entries of a subdirectory.
    func names(in folder: String) -> [String] {
        beneath(folder).entries.keys.filter { !$0.contains("/") }.sorted()
    }

    var files: [String: Data] {
        entries.compactMapValues { if case .file(let data) = $0 { data } else { nil } }
    }
}
