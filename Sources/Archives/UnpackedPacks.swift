import StoreModel
public import StoreSystem

/// The contents of several small ZIP archives, unpacked into memory.
public struct UnpackedPacks: Sendable {
    /// The maximum size in bytes of the files of all archives together, uncompressed.
    private static let sizeLimit = 8 << 20
    /// The maximum size in bytes of the file in memory, which also has the paths: for these there is as much room again.
    package static let memoryLimit = 2 * sizeLimit

    /// The directories and files of each archive, in the order of the archives.
    public let contents: SharedFileTrees
    /// The list of files of each archive, with their hashes.
    public let reports: [UnpackReport]

    /// Reads what another process has unpacked into a file in memory, without believing anything that the process says.
    ///
    /// The process must have ended. It may have been under the control of an archive, so that the file may have any bytes: every
    /// name is checked by the rules for the names in archives, and every file is hashed.
    ///
    /// - Parameters:
    ///   - file: the file that ``write(_:to:limits:cancellation:)`` has written in the other process.
    ///   - count: the number of archives.
    ///   - limits: the limits of each archive.
    ///   - cancellation: checked before each file and directory.
    /// - Throws: `worker.bad-output` for a file in another format, a name that is not allowed in archives, or more than the limits
    ///   allow; `StoreError` if the file can't be read; `CancellationError`.
    package init(
        _ file: OpenFile, count: Int, limits: ArchiveLimits, cancellation: CancellationFlag = CancellationFlag()
    ) throws {
        guard try file.status().size <= Self.memoryLimit else { throw StoreError.malformed("it is too large") }
        do {
            contents = try SharedFileTrees(file, atMost: count, entries: limits.entries, limit: Self.memoryLimit)
        } catch is FileTree.Malformed {
            throw StoreError.malformed("it is not in the expected format")
        }
        guard contents.trees.count == count else { throw StoreError.malformed("it lacks archives") }
        reports = try contents.trees.map { try UnpackReport($0, limits, cancellation) }
    }

    /// Unpacks ZIP archives into an empty file in memory.
    ///
    /// After an error the file may have some of the archives.
    ///
    /// - Throws: ``StoreError`` if an archive is rejected; `archive.too-large` also if all archives together have too many bytes;
    ///   `CancellationError`.
    package static func write(
        _ archives: [OpenFile], to file: OpenFile, limits: ArchiveLimits,
        cancellation: CancellationFlag = CancellationFlag()
    ) throws {
        var room = sizeLimit
        for archive in archives {
            var limits = limits
            limits.unpackedSize = min(limits.unpackedSize, room)
            let archive = try Archive(archive, limits: limits, cancellation: cancellation)
            room -= archive.size
            // The only top-level directory of an archive becomes the directory of the pack.
            let indices = archive.entries.indices.filter { !archive.entries[$0].packPath.isEmpty }
            var tree = FileTree.Encoder(entries: indices.count, size: archive.size)
            let reader = EntryReader(archive, cancellation: cancellation)
            for index in indices {
                try cancellation.check()
                let entry = archive.entries[index]
                if entry.isDirectory {
                    tree.addDirectory(entry.packPath)
                } else {
                    tree.addFile(entry.packPath, size: entry.size)
                    try reader.readUnhashed(index) { tree.append($0) }
                }
            }
            try tree.bytes.withUnsafeBytes { try file.write($0) }
        }
    }
}

extension UnpackReport {
    fileprivate init(_ tree: FileTree, _ limits: ArchiveLimits, _ cancellation: CancellationFlag) throws {
        var names = UnpackedNames(limits: limits)
        for path in tree.directories {
            try cancellation.check()
            try names.insert(path, isDirectory: true)
        }
        var files: [Receipt.File] = []
        for file in tree.files {
            try cancellation.check()
            try names.insert(file.path, isDirectory: false)
            files.append(Receipt.File(path: file.path, size: file.bytes.count, sha256: SHA256Digest(of: file.bytes)))
        }
        try UnpackedNames.requireSize(of: files, within: limits)
        self.init(files: files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
    }
}

extension StoreError {
    /// Returns the error `worker.bad-output` for a file in memory that can't be used as a whole.
    fileprivate static func malformed(_ reason: String) -> StoreError {
        StoreError(.workerBadOutput, ["path": "memory", "reason": reason])
    }
}
