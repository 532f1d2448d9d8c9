public import StoreModel
public import StoreSystem

/// The narrow door to whatever takes an archive apart: an open file in, an open folder out, a report back, all of
/// them things that can be handed to a confined process.
public protocol Unpacking: Sendable {
    /// Checks the archive and puts the pack's files beneath the folder, which should be empty.
    ///
    /// Blocks while it waits for the disk. Nothing is synced: the caller does so for several packs at once. After a throw
    /// the directory may hold a part of the pack, which the caller removes.
    ///
    /// - Parameter cancellation: checked before each entry and at least once for every mebibyte of a large one.
    /// - Throws: `ArchiveError` if the archive is refused, `FileError` if the disk fails or is full, `CancellationError`.
    func unpack(
        _ archive: OpenFile, into folder: Directory, limits: ArchiveLimits, cancellation: CancellationFlag
    ) throws -> UnpackReport

    /// Puts single files of an archive beneath the folder, of which only their bytes are here, each at its own place;
    /// or, without a folder, only finds out whether they are what the entry table says.
    ///
    /// - Throws: `ArchiveError` if a file has not the size or the SHA-256 of the table, `FileError` if the disk fails, is
    ///   full, or a file of that path is there already; `CancellationError`.
    func unpack(
        _ parts: [ArchivePart], of archive: OpenFile, into folder: Directory?, cancellation: CancellationFlag
    ) throws
}

extension Unpacking {
    /// Unpacks an archive without a way to cancel.
    public func unpack(_ archive: OpenFile, into folder: Directory, limits: ArchiveLimits) throws -> UnpackReport {
        try unpack(archive, into: folder, limits: limits, cancellation: CancellationFlag())
    }

    /// Unpacks single files of an archive without a way to cancel.
    public func unpack(_ parts: [ArchivePart], of archive: OpenFile, into folder: Directory?) throws {
        try unpack(parts, of: archive, into: folder, cancellation: CancellationFlag())
    }
}

/// What was unpacked.
public struct UnpackReport: Sendable, Hashable, Codable {
    /// Each file relative to the pack's folder, in the order of the bytes of their paths.
    public var files: [Receipt.File]

    public init(files: [Receipt.File]) { self.files = files }

    /// Bytes of all files.
    public var size: Int { files.reduce(0) { $0 + $1.size } }
}
