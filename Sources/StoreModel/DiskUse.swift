/// How much space the files of a home take, by their purpose, in bytes.
public struct DiskUse: Sendable, Hashable {
    /// The size of the installed packs.
    public var packs: Int
    /// The size of the previous versions of packs, which are kept for rollback.
    public var previousVersions: Int
    /// The size of removed packs whose files are not deleted yet.
    public var trash: Int
    /// The size of the archives that are kept after the installation, and of those that are not downloaded completely.
    public var archives: Int
    /// The size of cached pictures: of the stores' products, thumbnails, and compiled skins.
    public var pictures: Int
    /// The size of the stores' cached catalogues.
    public var catalogues: Int
    /// The size of the database, its write-ahead log included.
    public var database: Int
    /// The size of the other files: packs that are being prepared or imported, and the metadata of signed stores.
    public var other: Int
    /// The number of free bytes on the disk of the packs; `nil` if it is unknown.
    public var freeSpace: Int?

    /// Creates the description from the sizes of all parts.
    public init(
        packs: Int, previousVersions: Int, trash: Int, archives: Int, pictures: Int, catalogues: Int, database: Int,
        other: Int, freeSpace: Int?
    ) {
        self.packs = packs
        self.previousVersions = previousVersions
        self.trash = trash
        self.archives = archives
        self.pictures = pictures
        self.catalogues = catalogues
        self.database = database
        self.other = other
        self.freeSpace = freeSpace
    }

    /// The size of all parts together.
    public var total: Int {
        [packs, previousVersions, trash, archives, pictures, catalogues, database, other].checkedSum ?? .max
    }
}
