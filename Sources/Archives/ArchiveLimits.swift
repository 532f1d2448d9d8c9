/// What an archive may hold before it is refused. A plain value, so that it can be handed to another process.
public struct ArchiveLimits: Sendable, Hashable, Codable {
    /// Files and folders.
    public var entries = 20_000
    /// Bytes of the central directory, which is read into memory.
    public var directorySize = 16 << 20
    /// Bytes of all files together, unpacked.
    public var unpackedSize = 1 << 30
    /// How many bytes one byte of the archive may become. Deflate can reach 1,032.
    public var ratio = 200
    /// Unpacked bytes up to which the ratio does not matter: small files may be blank.
    public var ratioFloor = 16 << 20
    /// Parts of a path.
    public var depth = 16
    /// Bytes of a path.
    public var pathLength = 1_024
    /// Bytes of one part of a path; Linux takes 255.
    public var nameLength = 255

    public init() {}
}
