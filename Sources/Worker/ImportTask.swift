public import StoreArchives
public import StoreImages

/// An import of the sticker packs of another program that a worker is asked for.
public struct ImportTask: Sendable, Hashable, Codable {
    /// The name of the file or directory, which names packs that have no name of their own.
    public var name: String
    /// The name of the file in the directory that describes the pack; `nil` for a whole directory or a ZIP file.
    public var chosenFile: String?
    /// The name of the format; `nil` recognizes it.
    public var format: String?
    /// The key of an encrypted pack, or the link that contains it.
    public var key: String?
    /// The limits of ZIP files.
    public var archives: ArchiveLimits
    /// The limits of images.
    public var images: ImageLimits
    /// The position in the report of the pack of which an archive is written; `nil` only reports.
    public var pack: Int?

    /// Creates a task that reports what is in a source.
    public init(
        name: String, chosenFile: String?, format: String?, key: String?, archives: ArchiveLimits, images: ImageLimits
    ) {
        self.name = name
        self.chosenFile = chosenFile
        self.format = format
        self.key = key
        self.archives = archives
        self.images = images
    }
}
