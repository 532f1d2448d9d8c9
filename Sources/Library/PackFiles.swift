import StoreModel
import StoreSystem

/// The files of a pack's folder as they lie there.
enum PackFiles {
    struct Found {
        /// Relative to the pack's folder.
        let path: String
        let kind: FileStatus.Kind
        let size: Int
        /// Whether it is ours, nobody else may write to it, and nobody may execute it.
        let isClosed: Bool
    }

    /// What lies in a pack's folder.
    struct Listing {
        /// All files but the receipt, and all that is neither file nor folder, in the order of their paths.
        var files: [Found] = []
        /// Folders that others may write to, or that belong to somebody else; `.` is the pack's own.
        var openFolders: [String] = []
        /// Bytes of all files.
        var size: Int { files.reduce(0) { $0 + $1.size } }
    }

    static func list(_ directory: Directory) throws(FileError) -> Listing {
        var listing = Listing()
        try collect(directory, prefix: "", into: &listing)
        listing.files.sort { $0.path < $1.path }
        return listing
    }

    private static func collect(_ directory: Directory, prefix: String, into listing: inout Listing) throws(FileError) {
        if let own = try directory.status(of: "."), !isClosed(own, allowing: 0o755) {
            listing.openFolders.append(prefix.isEmpty ? "." : String(prefix.dropLast()))
        }
        for entry in try directory.entries() {
            let path = prefix + entry.name
            if path == Receipt.fileName { continue }
            if entry.kind == .folder {
                try collect(try directory.openDirectory(entry.name), prefix: path + "/", into: &listing)
            } else if let status = try directory.status(of: entry.name) {
                listing.files.append(
                    Found(
                        path: path, kind: status.kind, size: status.kind == .file ? status.size : 0,
                        isClosed: isClosed(status, allowing: 0o644)))
            }
        }
    }

    /// Whether it has no permission beyond those that it was made with; fewer are the user's own affair.
    private static func isClosed(_ status: FileStatus, allowing permissions: UInt32) -> Bool {
        status.owner == CurrentProcess.effectiveUser && status.permissions & ~permissions == 0
    }

    /// The SHA-256 of a file.
    static func digest(
        of file: OpenFile, through buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> SHA256Digest {
        var hasher = SHA256Hasher()
        var offset = 0
        while true {
            let count = try file.read(into: buffer, at: offset)
            if count == 0 { return hasher.finalize() }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
            offset += count
        }
    }

    /// Copies files of one pack into another; what is held to the hash is the copy.
    ///
    /// - Throws: `pack.changed`.
    static func copy(
        _ files: [(source: String, file: Receipt.File)], from pack: Directory, to other: Directory
    ) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        // The folder of the file before is most often that of the next.
        var (openPath, open) = ("", other)
        for (source, file) in files {
            let slash = file.path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let folder = slash.map { String(file.path[..<$0]) } ?? ""
            if folder != openPath {
                (openPath, open) = (folder, folder.isEmpty ? other : try other.createDirectory(folder, mode: 0o755))
            }
            let name = slash.map { String(file.path[file.path.utf8.index(after: $0)...]) } ?? file.path
            let original = try pack.openFile(source)
            let copy = try open.createFile(name, mode: 0o644)
            // One byte more than there should be, so that one too many shows.
            guard try original.status().kind == .file, try copy.copy(from: original, upTo: file.size + 1) == file.size,
                try digest(of: copy, through: buffer) == file.sha256
            else {
                throw LibraryError(
                    .packChanged, "'\(original.path)' was changed while the pack was being put right. Try again.")
            }
        }
    }
}
