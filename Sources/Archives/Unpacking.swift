public import StoreModel
public import StoreSystem

/// A type that unpacks ZIP archives, in this process or in another one with fewer rights.
///
/// Its input is an open file, its output is files below an open directory or in memory, and its result is a report. All of
/// these can be passed to a confined process.
public protocol Unpacking: Sendable {
    /// Whether several small archives are unpacked faster with one call of ``unpackInMemory(_:limits:cancellation:)`` than one by
    /// one, because they share a process.
    var sharesProcesses: Bool { get }

    /// Validates a ZIP archive and unpacks its files into a directory, which should be empty.
    ///
    /// Blocks while it waits for the disk. Nothing is synced: the caller syncs several directories at once. After an
    /// error the directory may contain a part of the files, which the caller removes.
    ///
    /// - Parameter cancellation: checked before each entry and at least once for every mebibyte of a large one.
    /// - Throws: ``StoreError`` if the archive is rejected, or if the disk fails or is full; `CancellationError`.
    func unpack(
        _ archive: OpenFile, into directory: Directory, limits: ArchiveLimits, cancellation: CancellationFlag
    ) throws -> UnpackReport

    /// Unpacks several small ZIP archives into memory.
    ///
    /// Blocks. One process may unpack all of them. An archive that takes it over can write wrong files for the others, so the caller has to
    /// compare each report with a hash that it has from another source.
    ///
    /// - Parameters:
    ///   - limits: the limits of each archive.
    ///   - cancellation: checked before each entry.
    /// - Returns: the contents of each archive and the list of its files, in the order of the archives.
    /// - Throws: ``StoreError`` for the first archive that is rejected; `archive.too-large` also if all files together have more
    ///   than 8 MiB; `CancellationError`.
    func unpackInMemory(
        _ archives: [OpenFile], limits: ArchiveLimits, cancellation: CancellationFlag
    ) throws -> UnpackedPacks

    /// Unpacks selected entries of a sparse ZIP file, in which only the bytes of these entries are present.
    ///
    /// The bytes of an entry are inflated only after they had the entry table's hash of them. Without a directory the
    /// entries are only verified.
    ///
    /// - Throws: ``StoreError`` if a file does not have the size or the hashes of the entry table, if a file exists
    ///   already, or if the disk fails or is full; `CancellationError`.
    func unpack(
        _ entries: [SelectedEntry], of archive: OpenFile, into directory: Directory?, cancellation: CancellationFlag
    ) throws
}

extension Unpacking {
    public var sharesProcesses: Bool { false }

    public func unpackInMemory(
        _ archives: [OpenFile], limits: ArchiveLimits, cancellation: CancellationFlag
    ) throws -> UnpackedPacks {
        let file = try OpenFile.inMemory()
        try UnpackedPacks.write(archives, to: file, limits: limits, cancellation: cancellation)
        return try UnpackedPacks(file, count: archives.count, limits: limits, cancellation: cancellation)
    }

    /// Validates a ZIP archive and unpacks it into a directory, without a way to cancel.
    public func unpack(_ archive: OpenFile, into directory: Directory, limits: ArchiveLimits) throws -> UnpackReport {
        try unpack(archive, into: directory, limits: limits, cancellation: CancellationFlag())
    }

    /// Unpacks selected entries of a ZIP archive into a directory, without a way to cancel.
    ///
    /// Without a directory it only verifies them.
    public func unpack(_ entries: [SelectedEntry], of archive: OpenFile, into directory: Directory?) throws {
        try unpack(entries, of: archive, into: directory, cancellation: CancellationFlag())
    }
}

/// The result of unpacking a ZIP archive: the list of files that were written.
public struct UnpackReport: Sendable, Hashable, Codable {
    /// The unpacked files with paths relative to the target directory, sorted by the bytes of their paths.
    public var files: [Receipt.File]

    /// Creates the result of unpacking from the list of unpacked files.
    public init(files: [Receipt.File]) { self.files = files }

    /// The size in bytes of all files that were unpacked from an archive.
    public var size: Int { files.reduce(0) { $0 + $1.size } }
}
