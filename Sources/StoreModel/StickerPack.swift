/// A sticker pack as a sticker tray shows it.
public struct StickerPack: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var name: LocalizedText
    public var publisher: String?
    public var license: String?
    @OrNull public var version: Version?
    /// That brought it; another one brings other stickers. `nil` for a folder that someone put there by hand.
    @OrNull public var operation: OperationID?
    /// Absolute.
    public var path: String
    /// The picture that stands for the pack, relative to its folder.
    @OrNull public var cover: String?
    public var stickers: [Sticker]
    public var count: Int

    public init(
        productIdentifier: String, name: LocalizedText, publisher: String? = nil, license: String? = nil,
        version: Version? = nil, operation: OperationID? = nil, path: String, cover: String?, stickers: [Sticker]
    ) {
        self.productIdentifier = productIdentifier
        self.name = name
        self.publisher = publisher
        self.license = license
        self.version = version
        self.operation = operation
        self.path = path
        self.cover = cover
        self.stickers = stickers
        count = stickers.count
    }
}

/// One sticker of a pack.
public struct Sticker: Sendable, Hashable, Codable {
    /// Unique in its pack.
    public var id: String
    /// Relative to the pack's folder.
    public var file: String
    public var emoji: [String]
    public var keywords: [String]
    @OrNull public var description: LocalizedText?

    public init(
        id: String, file: String, emoji: [String] = [], keywords: [String] = [], description: LocalizedText? = nil
    ) {
        self.id = id
        self.file = file
        self.emoji = emoji
        self.keywords = keywords
        self.description = description
    }
}
