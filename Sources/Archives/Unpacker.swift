import StoreModel
public import StoreSystem

/// An unpacker of ZIP archives that works in this process, which may be confined, with several threads.
///
/// Directories get mode 0755 and files 0644, subject to the umask; owners, modes and times in the archive are ignored.
public struct Unpacker: Unpacking {
    private let threads: Int?
    private let kind: ParallelWork.Threads
    private let smallEntrySize: Int

    /// Creates an unpacker of ZIP archives.
    ///
    /// - Parameters:
    ///   - threads: the number of threads, including the caller's; `nil` chooses it for each archive.
    ///   - kind: which threads are used; those of libdispatch are not available in a confined process.
    public init(threads: Int? = nil, on kind: ParallelWork.Threads = .dispatch) {
        self.init(threads: threads, on: kind, smallEntrySize: EntryReader.smallEntrySize)
    }

    init(threads: Int?, on kind: ParallelWork.Threads = .dispatch, smallEntrySize: Int) {
        self.threads = threads
        self.kind = kind
        self.smallEntrySize = smallEntrySize
    }

    public func unpack(
        _ archive: OpenFile, into directory: Directory, limits: ArchiveLimits, cancellation: CancellationFlag
    ) throws -> UnpackReport {
        let files = try unpackEach(of: archive, into: directory, limits, cancellation) { try $0.unpack($1) }
        return UnpackReport(files: files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
    }

    /// Unpacks a ZIP archive as ``unpack(_:into:limits:cancellation:)`` does, without hashing what it writes: for a process
    /// whose report is not believed.
    public func write(_ archive: OpenFile, into directory: Directory, limits: ArchiveLimits) throws {
        _ = try unpackEach(of: archive, into: directory, limits, CancellationFlag()) { try $0.write($1) }
    }

    /// Unpacks each file of a ZIP archive with `body`, which receives the file's index.
    private func unpackEach<Result: Sendable>(
        of archive: OpenFile, into directory: Directory, _ limits: ArchiveLimits, _ cancellation: CancellationFlag,
        _ body: @escaping @Sendable (inout Worker, Int) throws -> Result
    ) throws -> [Result] {
        let archive = try Archive(archive, limits: limits, cancellation: cancellation)
        try createDirectories(of: archive, in: directory, cancellation)
        let files = archive.entries.indices.filter { !archive.entries[$0].isDirectory }
        let smallEntrySize = smallEntrySize
        return try ParallelWork.map(
            files.count, threads: threads ?? archive.usefulThreads, on: kind,
            begin: { Worker(archive, in: directory, smallEntrySize: smallEntrySize, cancellation) },
            { worker, number in try body(&worker, files[number]) })
    }

    /// Creates all directories of the ZIP archive before its files, so that files can be divided among threads.
    private func createDirectories(
        of archive: Archive, in directory: Directory, _ cancellation: CancellationFlag
    ) throws {
        var created: Set<Substring> = [""]
        for entry in archive.entries {
            let path = entry.isDirectory ? entry.packPath[...] : parent(of: entry.packPath)
            guard created.insert(path).inserted else { continue }
            try cancellation.check()
            _ = try directory.createDirectory(String(path), mode: 0o755)
        }
    }

    /// The state of one thread that unpacks files of a ZIP archive.
    private struct Worker {
        private let archive: Archive
        private let directory: Directory
        private let reader: EntryReader
        private let cancellation: CancellationFlag
        /// The directory of the previously unpacked file, which is often the directory of the next one.
        private var current: (path: Substring, directory: Directory)

        init(_ archive: Archive, in directory: Directory, smallEntrySize: Int, _ cancellation: CancellationFlag) {
            self.archive = archive
            self.directory = directory
            self.cancellation = cancellation
            reader = EntryReader(archive, smallEntrySize: smallEntrySize, cancellation: cancellation)
            current = ("", directory)
        }

        mutating func unpack(_ index: Int) throws -> Receipt.File {
            let (entry, file) = (archive.entries[index], try createFile(index))
            let digest = try reader.read(index) { try file.write($0) }
            return Receipt.File(path: entry.packPath, size: entry.size, sha256: digest)
        }

        mutating func write(_ index: Int) throws {
            let file = try createFile(index)
            try reader.readUnhashed(index) { try file.write($0) }
        }

        private mutating func createFile(_ index: Int) throws -> OpenFile {
            let entry = archive.entries[index]
            try cancellation.check()
            let path = parent(of: entry.packPath)
            if path != current.path {
                current = (path, path.isEmpty ? directory : try directory.openDirectory(String(path)))
            }
            let name = Substring(entry.packPath.utf8.dropFirst(path.isEmpty ? 0 : path.utf8.count + 1))
            return try current.directory.createFile(String(name), mode: 0o644)
        }
    }
}

private func parent(of path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
}

extension Archive {
    /// The number of threads with which unpacking this ZIP archive is fastest, at most four.
    ///
    /// Starting a thread takes some ten microseconds, in which a few small files could be unpacked; and threads that
    /// create files in the same directory wait for each other.
    var usefulThreads: Int {
        let useful = max(entries.count / 32, size / (256 << 10))
        return max(1, min(useful, ParallelWork.processors, 4))
    }
}
