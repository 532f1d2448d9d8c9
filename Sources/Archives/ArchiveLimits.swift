/// The limits of a ZIP archive's sizes and names, beyond which the untrusted archive is rejected.
///
/// `Codable`, so that they can be sent to another process.
public struct ArchiveLimits: Sendable, Hashable, Codable {
    /// The maximum number of files and directories in a ZIP archive.
    public var entries = 20_000
    /// The maximum size in bytes of a ZIP file's central directory, which is read into memory.
    public var directorySize = 16 << 20
    /// The maximum size of all files of a ZIP archive when unpacked, in bytes.
    public var unpackedSize = 1 << 30
    /// The maximum compression ratio of a ZIP archive: unpacked bytes for each byte of the archive.
    ///
    /// Deflate can reach 1,032.
    public var ratio = 200
    /// The unpacked size in bytes of a ZIP archive up to which the compression ratio is not checked.
    ///
    /// Small files may compress extremely well. The limit of the compression ratio is ``ratio``.
    public var ratioFloor = 16 << 20
    /// The maximum number of components of a path in a ZIP archive.
    public var depth = 16
    /// The maximum length of a path in a ZIP archive, in bytes.
    public var pathLength = 1_024
    /// The maximum length of one component of a path in a ZIP archive, in bytes; Linux allows 255.
    public var nameLength = 255
    /// The maximum size of an archive's entry table (the list of its files), in bytes; it is read into memory.
    ///
    /// A file with a path of 100 characters takes about 400 bytes.
    public var entryTableSize = 16 << 20
    /// The treatment of hidden files and directories, and of litter.
    public var hiddenEntries = HiddenEntries.refused

    /// Creates limits of a ZIP archive with the default values.
    public init() {}
}

/// The treatment of the entries of an archive that are never part of a pack; see ``StoreModel/PackExclusion``.
public enum HiddenEntries: String, Sendable, Hashable, Codable {
    /// Hidden entries reject the archive, and litter is left out: for the archive of a store.
    case refused
    /// Hidden entries and litter are left out: for a file that the user chose, and does not publish.
    case leftOut
    /// Hidden entries and litter are entries like any other: for an archive that is not unpacked as a pack.
    case kept
}
