public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// The files of an unpacked pack, in a directory or in memory, as the rules of its kind read them.
public struct PackContents: Sendable {
    private enum Source {
        case directory(Directory)
        /// The files by their paths. The key is not a `String`, which compares by canonical equivalence: file systems compare
        /// bytes.
        case memory(FileTree, byPath: [[UInt8]: ArraySlice<UInt8>])
    }
    private let source: Source

    /// The files in a directory on the disk.
    public init(_ directory: Directory) { source = .directory(directory) }

    /// The files of a tree in memory.
    public init(_ tree: FileTree) {
        let files = tree.files.map { (Array($0.path.utf8), $0.bytes) }
        source = .memory(tree, byPath: Dictionary(files) { first, _ in first })
    }

    /// Returns the content of the file at a path; `nil` if there is none.
    ///
    /// - Throws: `file.failed` if it is a directory, has more than `limit` bytes, or can't be read; `file.denied`;
    ///   `file.escapes` for a link.
    public func read(_ path: String, limit: Int) throws(StoreError) -> Data? {
        switch source {
        case .directory(let directory):
            do {
                return try directory.read(path, limit: limit)
            } catch  where error.isMissing {
                return nil
            }
        case .memory(let tree, let files):
            guard let bytes = files[Array(path.utf8)] else {
                guard !tree.hasDirectory(path) else {
                    throw StoreError(SystemCallError(function: "read", errno: .isDirectory), path: path)
                }
                return nil
            }
            guard bytes.count <= limit else {
                throw StoreError(
                    .fileExceedsLimit, ["path": .path(path), "size": .bytes(bytes.count), "limit": .bytes(limit)])
            }
            return Data(bytes)
        }
    }

    /// Returns whether there is a regular file at a path.
    public func hasFile(_ path: String) -> Bool {
        switch source {
        case .directory(let directory): (try? directory.openFile(path).status().kind) == .file
        case .memory(_, let files): files[Array(path.utf8)] != nil
        }
    }

    /// Returns the names of the files at the top level of the pack; names that are not UTF-8 are left out.
    public func fileNames() throws(StoreError) -> [String] {
        switch source {
        case .directory(let directory):
            try directory.entries().filter { $0.kind == .file && $0.isUTF8 }.map(\.name)
        case .memory(let tree, _):
            tree.files.map(\.path).filter { !$0.utf8.contains(UInt8(ascii: "/")) }
        }
    }

    /// Calls a function for each file that can be part of a pack (see ``StoreModel/PackExclusion``).
    ///
    /// Links and special files are skipped.
    ///
    /// - Parameter buffer: scratch memory for the first bytes of a file.
    func forEachFile(
        _ cancellation: CancellationFlag, _ buffer: UnsafeMutableRawBufferPointer, _ body: (PackFile) throws -> Void
    ) throws {
        switch source {
        case .directory(let directory):
            try directory.walk { entry, path, folder in
                try cancellation.check()
                if PackExclusion(name: entry.name, isDirectory: entry.kind == .folder) != nil { return false }
                if entry.kind == .file { try body(PackFile(entry.name, path: path, in: folder, buffer)) }
                return entry.kind == .folder
            }
        case .memory(let tree, _):
            for file in tree.files where PackExclusion.topmost(in: file.path, isDirectory: false) == nil {
                try cancellation.check()
                try body(PackFile(file))
            }
        }
    }
}

extension FileTree {
    /// Returns whether a path is that of a directory, which need not be listed if there are files in it.
    fileprivate func hasDirectory(_ path: String) -> Bool {
        directories.contains { $0.utf8.elementsEqual(path.utf8) }
            || (directories + files.map(\.path)).contains { $0.utf8.starts(with: (path + "/").utf8) }
    }
}
