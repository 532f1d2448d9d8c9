public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// The files of an unpacked pack, in a directory or in memory, as the rules of its kind read them.
public struct PackContents: Sendable {
    private enum Place {
        case directory(Directory)
        /// The files by their paths. The key is not a `String`: two of these are equal also if their bytes are not.
        case memory(MemoryDirectory, byPath: [[UInt8]: ArraySlice<UInt8>])
    }
    private let place: Place

    /// The files in a directory on the disk.
    public init(_ directory: Directory) { place = .directory(directory) }

    /// The files in a directory in memory.
    public init(_ directory: MemoryDirectory) {
        let files = directory.files.map { (Array($0.path.utf8), $0.bytes) }
        place = .memory(directory, byPath: Dictionary(files) { first, _ in first })
    }

    /// Returns the content of the file at a path; `nil` if there is none.
    ///
    /// - Throws: `file.failed` if it has more than `limit` bytes; `file.…` if it can't be read.
    public func read(_ path: String, limit: Int) throws(StoreError) -> Data? {
        switch place {
        case .directory(let directory):
            do {
                return try directory.read(path, limit: limit)
            } catch  where error.errno == .noSuchFileOrDirectory {
                return nil
            }
        case .memory(_, let files):
            guard let bytes = files[Array(path.utf8)] else { return nil }
            guard bytes.count <= limit else {
                throw StoreError(
                    .fileExceedsLimit, ["path": .path(path), "size": .bytes(bytes.count), "limit": .bytes(limit)])
            }
            return Data(bytes)
        }
    }

    /// Returns whether there is a regular file at a path.
    public func hasFile(_ path: String) -> Bool {
        switch place {
        case .directory(let directory): (try? directory.openFile(path).status().kind) == .file
        case .memory(_, let files): files[Array(path.utf8)] != nil
        }
    }

    /// Returns the names of the files in the directory itself; names that are not UTF-8 are left out.
    public func fileNames() throws(StoreError) -> [String] {
        switch place {
        case .directory(let directory):
            try directory.entries().filter { $0.kind == .file && $0.isUTF8 }.map(\.name)
        case .memory(let directory, _):
            directory.files.map(\.path).filter { !$0.utf8.contains(UInt8(ascii: "/")) }
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
        switch place {
        case .directory(let directory):
            try directory.walk { entry, path, folder in
                try cancellation.check()
                if PackExclusion(name: entry.name, isDirectory: entry.kind == .folder) != nil { return false }
                if entry.kind == .file { try body(PackFile(entry.name, path: path, in: folder, buffer)) }
                return entry.kind == .folder
            }
        case .memory(let directory, _):
            for file in directory.files where PackExclusion.topmost(in: file.path, isDirectory: false) == nil {
                try cancellation.check()
                try body(PackFile(file))
            }
        }
    }
}
