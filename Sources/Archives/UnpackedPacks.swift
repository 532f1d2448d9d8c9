import StoreModel
public import StoreSystem

/// The contents of several small ZIP archives, unpacked into memory.
public struct UnpackedPacks: Sendable {
    /// The maximum number of bytes that the files of all archives may have together.
    private static let sizeLimit = 16 << 20
    /// The maximum size in bytes of the file in memory, which also has the paths.
    package static let memoryLimit = 2 * sizeLimit

    /// The directories and files of each archive, in the order of the archives.
    public let contents: MemoryDirectories
    /// The list of files of each archive.
    public let reports: [UnpackReport]

    /// Reads what another process has unpacked into a file in memory, without believing anything that the process says.
    ///
    /// What is said of ``UnpackedFiles`` applies.
    ///
    /// - Parameters:
    ///   - file: the file that ``write(_:to:limits:cancellation:)`` has written in the other process, which has ended.
    ///   - count: the number of archives.
    /// - Throws: `worker.bad-output` for a file in another format, a name that is not allowed in archives, or more than the limits
    ///   allow; `CancellationError`.
    package init(
        _ file: OpenFile, count: Int, limits: ArchiveLimits, cancellation: CancellationFlag = CancellationFlag()
    ) throws {
        let contents = try? MemoryDirectories(file, limit: Self.memoryLimit)
        guard let contents, contents.directories.count == count else {
            throw StoreError(.workerBadOutput, ["path": "", "reason": "it is not in the expected format"])
        }
        self.contents = contents
        reports = try contents.directories.map { try UnpackReport($0, limits, cancellation) }
    }

    /// Unpacks ZIP archives into an empty file in memory.
    ///
    /// - Throws: ``StoreError`` if an archive is rejected, or if the archives are too large together;
    ///   `CancellationError`.
    package static func write(
        _ archives: [OpenFile], to file: OpenFile, limits: ArchiveLimits,
        cancellation: CancellationFlag = CancellationFlag()
    ) throws {
        var limits = limits
        limits.unpackedSize = min(limits.unpackedSize, sizeLimit)
        for archive in archives {
            let archive = try Archive(archive, limits: limits, cancellation: cancellation)
            limits.unpackedSize -= archive.size
            // The only top-level directory of an archive becomes the directory of the pack.
            let indices = archive.entries.indices.filter { !archive.entries[$0].packPath.isEmpty }
            var encoding = MemoryDirectory.Encoding(entries: indices.count, size: archive.size)
            let reader = EntryReader(archive, cancellation: cancellation)
            for index in indices {
                try cancellation.check()
                let entry = archive.entries[index]
                if entry.isDirectory {
                    encoding.addDirectory(entry.packPath)
                } else {
                    encoding.addFile(entry.packPath, size: entry.size)
                    try reader.readUnhashed(index) { encoding.append($0) }
                }
            }
            try encoding.bytes.withUnsafeBytes { try file.write($0) }
        }
    }
}

extension UnpackReport {
    fileprivate init(
        _ directory: MemoryDirectory, _ limits: ArchiveLimits, _ cancellation: CancellationFlag
    ) throws {
        var names = UnpackedNames(limits: limits)
        for path in directory.directories { try names.insert(path, isDirectory: true) }
        var files: [Receipt.File] = []
        for file in directory.files {
            try cancellation.check()
            try names.insert(file.path, isDirectory: false)
            files.append(Receipt.File(path: file.path, size: file.bytes.count, sha256: SHA256Digest(of: file.bytes)))
        }
        try UnpackedNames.requireSize(of: files, within: limits)
        self.init(files: files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
    }
}
