public import StoreModel
public import StoreSystem

/// A type that unpacks archives, in this process or in another one with fewer rights.
///
/// Its input is an open file, its output is files below an open directory, and its result is a report. All of these can
/// be passed to a confined process.
public protocol Unpacking: Sendable {
    /// Validates an archive and unpacks the pack's files into a directory, which should be empty.
    ///
    /// Blocks while it waits for the disk. Nothing is synced: the caller syncs several packs at once. After an error
    /// the directory may contain a part of the pack, which the caller removes.
    ///
    /// - Parameter cancellation: checked before each entry and at least once for every mebibyte of a large one.
    /// - Throws: ``StoreError`` if the archive is rejected, or if the disk fails or is full; `CancellationError`.
    func unpack(
        _ archive: OpenFile, into directory: Directory, limits: ArchiveLimits, cancellation: CancellationFlag
    ) throws -> UnpackReport

    /// Unpacks selected entries of a sparse archive file, in which only the bytes of these entries are present.
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
    /// Unpacks an archive without a way to cancel.
    public func unpack(_ archive: OpenFile, into directory: Directory, limits: ArchiveLimits) throws -> UnpackReport {
        try unpack(archive, into: directory, limits: limits, cancellation: CancellationFlag())
    }

    /// Unpacks selected entries of an archive without a way to cancel.
    public func unpack(_ entries: [SelectedEntry], of archive: OpenFile, into directory: Directory?) throws {
        try unpack(entries, of: archive, into: directory, cancellation: CancellationFlag())
    }
}

/// The result of unpacking: the files that were written.
public struct UnpackReport: Sendable, Hashable, Codable {
    /// The files with paths relative to the pack's directory, sorted by the bytes of their paths.
    public var files: [Receipt.File]

    /// Creates a report from the list of unpacked files.
    public init(files: [Receipt.File]) { self.files = files }

    /// The size of all unpacked files in bytes.
    public var size: Int { files.reduce(0) { $0 + $1.size } }
}
