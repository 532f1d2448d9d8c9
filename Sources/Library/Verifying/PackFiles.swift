import StoreModel
import StoreSystem

/// A namespace for listing the files of a pack's directory, and copying them with verification.
enum PackFiles {
    /// A file, link or special file in a pack's directory, or a directory that can't be listed.
    struct Found {
        /// The path of the file relative to the pack's directory.
        let path: String
        let kind: FileStatus.Kind
        let size: Int
        /// Whether the pack's file belongs to this user, is writable by its owner only, and is not executable.
        let isClosed: Bool
    }

    /// The list of all files in a pack's directory, and of directories with wrong permissions.
    struct Listing {
        /// All files, links and special files except the receipt, in the order of their paths.
        ///
        /// A directory is among them where its path is too long to list its content.
        var files: [Found] = []
        /// The paths of the pack's directories that others may write to, or that belong to another user.
        ///
        /// The path `.` is the pack's own directory.
        var openFolders: [String] = []
        /// The total size in bytes of the pack's regular files, without the receipt.
        var size: Int { files.lazy.map(\.size).checkedSum ?? .max }
    }

    /// Lists the files of a pack's directory and of all directories in it.
    ///
    /// - Parameter cancellation: checked before each entry.
    /// - Throws: `StoreError` if a directory can't be read; `CancellationError`.
    static func list(
        _ directory: Directory, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> Listing {
        var listing = Listing()
        if let own = try directory.status(of: "."), !isClosed(own, allowing: 0o755) { listing.openFolders.append(".") }
        try directory.walk { entry, path, folder in
            try cancellation.check()
            // Removed meanwhile, if it has no status.
            guard path != Receipt.fileName, let status = try folder.status(of: entry.name) else { return false }
            if status.kind == .folder, path.utf8.count <= Directory.maximumPathLength {
                if !isClosed(status, allowing: 0o755) { listing.openFolders.append(path) }
                return true
            }
            listing.files.append(
                Found(
                    path: path, kind: status.kind, size: status.kind == .file ? status.size : 0,
                    isClosed: isClosed(status, allowing: 0o644)))
            return false
        }
        listing.files.sort { $0.path < $1.path }
        return listing
    }

    /// Returns whether a pack's file belongs to this user and has no permissions beyond `permissions`.
    ///
    /// Fewer permissions are right, too: the user may remove some.
    private static func isClosed(_ status: FileStatus, allowing permissions: UInt32) -> Bool {
        status.owner == CurrentProcess.effectiveUser && status.permissions & ~permissions == 0
    }

    /// Copies files of one pack into another, and verifies the size and hash of each copy.
    ///
    /// - Parameters:
    ///   - files: for each copy, the path in `pack`, and the path, size and hash of the copy in `other`.
    ///   - cancellation: checked before each file and for every mebibyte of a large one.
    /// - Throws: `pack.changed` where a file has another size or hash, or is no regular file; `CancellationError`;
    ///   another `StoreError` where a file can't be read or written.
    static func copy(
        _ files: [(source: String, file: Receipt.File)], from pack: Directory, to other: Directory,
        cancellation: CancellationFlag
    ) throws {
        let hasher = FileHasher()
        // Successive files are usually in the same directory.
        var (openPath, open) = ("", other)
        for (source, file) in files {
            try cancellation.check()
            let slash = file.path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let folder = slash.map { String(file.path[..<$0]) } ?? ""
            if folder != openPath {
                (openPath, open) = (folder, folder.isEmpty ? other : try other.createDirectory(folder, mode: 0o755))
            }
            let name = slash.map { String(file.path[file.path.utf8.index(after: $0)...]) } ?? file.path
            let original = try pack.openFile(source)
            let copy = try open.createFile(name, mode: 0o644)
            // One byte more than expected, so that a longer file is noticed.
            guard try original.status().kind == .file,
                try copy.copy(from: original, upTo: file.size + 1, cancellation: cancellation) == file.size,
                try hasher.digest(of: copy, cancellation: cancellation).sha256 == file.sha256
            else {
                throw StoreError(.packChangedMeanwhile, ["path": .path(original.path)])
            }
        }
    }
}
