import StoreModel
public import StoreSystem

/// Unpacks within this process. Folders get mode 0755 and files 0644, less what the user's umask takes; nothing else
/// that the archive says of owners, modes or times is used.
public struct Unpacker: Unpacking {
    private let threads: Int?
    private let wholeSize: Int

    /// - Parameter threads: how many work side by side, the caller's among them; `nil` is as many as help.
    public init(threads: Int? = nil) { self.init(threads: threads, wholeSize: EntryContents.wholeSize) }

    init(threads: Int?, wholeSize: Int) {
        self.threads = threads
        self.wholeSize = wholeSize
    }

    public func unpack(
        _ archive: OpenFile, into folder: Directory, limits: ArchiveLimits, cancellation: CancellationFlag
    ) throws -> UnpackReport {
        let archive = try Archive(archive, limits: limits, cancellation: cancellation)
        try createFolders(of: archive, in: folder, cancellation)
        let files = archive.entries.indices.filter { !archive.entries[$0].isFolder }
        let wholeSize = wholeSize
        let unpacked = try ParallelWork.map(
            files.count, threads: threads ?? archive.usefulThreads,
            begin: { Worker(archive, in: folder, wholeSize: wholeSize, cancellation) },
            { worker, number in try worker.unpack(files[number]) })
        return UnpackReport(files: unpacked.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
    }

    /// All folders come first, so that files can be divided among threads.
    private func createFolders(
        of archive: Archive, in folder: Directory, _ cancellation: CancellationFlag
    ) throws {
        var created: Set<Substring> = [""]
        for entry in archive.entries {
            let path = entry.isFolder ? entry.packPath[...] : parent(of: entry.packPath)
            guard created.insert(path).inserted else { continue }
            try cancellation.check()
            _ = try folder.createDirectory(String(path), mode: 0o755)
        }
    }

    /// What one thread has for itself.
    private struct Worker {
        private let archive: Archive
        private let folder: Directory
        private let contents: EntryContents
        private let cancellation: CancellationFlag
        /// The folder of the file before is most often that of the next.
        private var open: (path: Substring, folder: Directory)

        init(_ archive: Archive, in folder: Directory, wholeSize: Int, _ cancellation: CancellationFlag) {
            self.archive = archive
            self.folder = folder
            self.cancellation = cancellation
            contents = EntryContents(archive, wholeSize: wholeSize, cancellation: cancellation)
            open = ("", folder)
        }

        mutating func unpack(_ index: Int) throws -> Receipt.File {
            let entry = archive.entries[index]
            try cancellation.check()
            let path = parent(of: entry.packPath)
            if path != open.path {
                open = (path, path.isEmpty ? folder : try folder.openDirectory(String(path)))
            }
            let name = Substring(entry.packPath.utf8.dropFirst(path.isEmpty ? 0 : path.utf8.count + 1))
            let file = try open.folder.createFile(String(name), mode: 0o644)
            let digest = try contents.read(index) { try file.write($0) }
            return Receipt.File(path: entry.packPath, size: entry.size, sha256: digest)
        }
    }
}

private func parent(of path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
}

extension Archive {
    /// Threads that unpack faster than fewer do. Another one costs some ten microseconds, in which one unpacks a few
    /// small files; and where many make files in one folder, they wait for each other.
    var usefulThreads: Int {
        let worth = max(entries.count / 32, size / (256 << 10))
        return max(1, min(worth, ParallelWork.processors, 4))
    }
}
