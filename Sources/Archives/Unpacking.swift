public import StoreModel
public import StoreSystem

/// The narrow door to whatever takes an archive apart: an open file in, an open folder out, a report back, all of
/// them things that can be handed to a confined process.
public protocol Unpacking: Sendable {
    /// Checks the archive and puts the pack's files beneath the folder, which should be empty.
    ///
    /// It waits for the disk and is not interrupted. Nothing is synced: the caller does so for several packs at once.
    /// After a throw the folder may hold a part of the pack, and is the caller's to remove.
    ///
    /// - Throws: `ArchiveError` if the archive is refused, `FileError` if the disk fails or is full.
    func unpack(_ archive: OpenFile, into folder: Directory, limits: ArchiveLimits) throws -> UnpackReport

    /// Puts single files of an archive beneath the folder, of which only their bytes are here, each at its own place;
    /// or, without a folder, only finds out whether they are what the entry table says.
    ///
    /// - Throws: `ArchiveError` if a file has not the size or the SHA-256 of the table, `FileError` if the disk fails, is
    ///   full, or a file of that path is there already.
    func unpack(_ parts: [ArchivePart], of archive: OpenFile, into folder: Directory?) throws
}

/// What was unpacked.
public struct UnpackReport: Sendable, Hashable, Codable {
    /// Each file relative to the pack's folder, in the order of the bytes of their paths.
    public var files: [Receipt.File]

    public init(files: [Receipt.File]) { self.files = files }

    /// Bytes of all files.
    public var size: Int { files.reduce(0) { $0 + $1.size } }
}
