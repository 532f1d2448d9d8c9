/// One sticker of a sticker pack: an image to send in messages, with the emoji and keywords that find it.
public struct Sticker: Sendable, Hashable, Codable {
    /// The identifier of the sticker, unique in its sticker pack.
    public var id: String
    /// The path of the sticker's image file, relative to the sticker pack's directory.
    ///
    /// For a sticker that was fetched without its pack, the SHA-256 of the image in hexadecimal.
    public var file: String
    /// The absolute path of the sticker's image file; empty in the reader of a pack that is not installed.
    public var path: String
    /// The path of the sticker's image in the daemon's API, with the query that names the version of the pack.
    public var url: String
    /// The path of a thumbnail of the sticker's image in the daemon's API, with the query that names the version of the
    /// pack; `nil` in the reader of a pack that is not installed.
    ///
    /// Further parameters of the query are `size`, a ``ThumbnailSize``, and `animated`.
    @OrNull public var thumbnail: String?
    public var emoji: [String]
    public var keywords: [String]
    @OrNull public var description: LocalizedText?
    /// The properties of the sticker's image; `nil` where the image has not been read yet, or can't be read.
    @OrNull public var image: StickerImage?

    public init(
        id: String, file: String, path: String = "", url: String = "", thumbnail: String? = nil,
        emoji: [String] = [], keywords: [String] = [], description: LocalizedText? = nil, image: StickerImage? = nil
    ) {
        self.id = id
        self.file = file
        self.path = path
        self.url = url
        self.thumbnail = thumbnail
        self.emoji = emoji
        self.keywords = keywords
        self.description = description
        self.image = image
    }
}

/// The properties of a sticker's image that are known without decoding it.
public struct StickerImage: Sendable, Hashable, Codable {
    /// The media type of the image's content, such as `image/webp`, `application/x-tgsticker` or `video/webm`.
    public var mediaType: String
    /// The width of the image in pixels; 0 for an SVG that requests none, and for an animation as TGS or WebM, which
    /// only confined processes read.
    public var width: Int
    /// The height of the image in pixels; 0 where ``width`` is.
    public var height: Int
    /// The size of the image file in bytes.
    public var size: Int
    /// Whether the image has more than one frame.
    public var animated: Bool

    public init(mediaType: String, width: Int, height: Int, size: Int, animated: Bool) {
        self.mediaType = mediaType
        self.width = width
        self.height = height
        self.size = size
        self.animated = animated
    }
}
