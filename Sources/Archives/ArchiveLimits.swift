/// The limits beyond which an archive is rejected.
///
/// `Codable`, so that they can be sent to another process.
public struct ArchiveLimits: Sendable, Hashable, Codable {
    /// The number of files and directories.
    public var entries = 20_000
    /// The size of the central directory, which is read into memory, in bytes.
    public var directorySize = 16 << 20
    /// The size of all files when unpacked, in bytes.
    public var unpackedSize = 1 << 30
    /// The compression ratio: unpacked bytes for each byte of the archive.
    ///
    /// Deflate can reach 1,032.
    public var ratio = 200
    /// The unpacked size, in bytes, up to which ``ratio`` is not checked: small files may be blank.
    public var ratioFloor = 16 << 20
    /// The number of components of a path.
    public var depth = 16
    /// The length of a path in bytes.
    public var pathLength = 1_024
    /// The length of one component of a path in bytes; Linux allows 255.
    public var nameLength = 255

    /// Creates the default limits.
    public init() {}
}
