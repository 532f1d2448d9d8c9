public import FoundationEssentials
public import StoreArchives
public import StoreImages
public import StoreModel

/// What a worker, a confined process that reads untrusted bytes, is asked to do.
public enum WorkerTask: Sendable, Hashable, Codable {
    /// Unpack an archive into an empty directory.
    case unpack(ArchiveLimits)
    /// Unpack archives into an empty file in memory.
    case unpackInMemory(ArchiveLimits)
    /// Unpack entries of an archive file of which only some ranges are present, or only inflate them.
    case unpackEntries([SelectedEntry], writesFiles: Bool)
    /// Read what an archive says of the pack in it.
    case describe(ArchiveLimits)
    /// Check the files of a directory by the rules of their kind.
    case check(ContentRules)
    /// Check the files of packs in memory by the rules of their kind.
    case checkInMemory(ContentRules)
    /// Report which sticker packs of another program a directory or an archive contains, or write one of them.
    case importPacks(ImportTask)
    /// Draw a picture of images, in the program `store-thumbnailer`.
    case draw(PictureTask)
    /// Read images of emoji from a colour font, in the program `store-thumbnailer`.
    case readFont(FontTask)
    /// Report which parts of the confinement are in effect.
    case describeConfinement

    /// Whether the task reads several packs, which are then not separated from each other.
    var sharesWorker: Bool {
        switch self {
        case .unpackInMemory, .checkInMemory: true
        default: false
        }
    }
}

/// The kind of a pack whose files a worker checks, and the settings of the rules for them.
public struct ContentRules: Sendable, Hashable, Codable {
    /// The kind of the pack.
    public var kind: ProductKind
    /// The limits of the images in the pack.
    public var images: ImageLimits
    /// The maximum size of a skin as a style sheet, in bytes.
    public var skinSize: Int

    /// Creates the description of the rules for the files of a pack.
    public init(kind: ProductKind, images: ImageLimits, skinSize: Int) {
        self.kind = kind
        self.images = images
        self.skinSize = skinSize
    }
}

/// A worker's description of an archive that it read; untrusted.
public struct ArchiveDescription: Sendable, Hashable, Codable {
    /// The paths of hidden files and directories that are not unpacked; see `Archive.leftOut` of `StoreArchives`.
    public var leftOut: [String]
    /// The size of all files when unpacked, in bytes.
    public var size: Int
    /// A JSON document with what the program found in the archive.
    public var document: Data
}

/// The limits of one worker: what it may use before it is ended.
public struct WorkerLimits: Sendable, Hashable, Codable {
    /// The time after which a worker is killed, which is also the limit of its processor time.
    public var time: Duration = .seconds(300)
    /// The maximum size of a worker's private memory in bytes.
    public var memory = 512 << 20

    /// Creates limits with the default values.
    public init() {}
}
