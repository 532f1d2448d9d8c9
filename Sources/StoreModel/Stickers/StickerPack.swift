/// An installed sticker pack: its name, version, directory and stickers.
public struct StickerPack: Sendable, Hashable, Codable {
    /// The maximum number of stickers that the information file of a pack lists: that of files in an archive by default.
    ///
    /// A sticker takes a hundred times the memory in the documents of the interface that it takes in the file.
    package static let maximumCount = 20_000

    public var productIdentifier: String
    public var name: LocalizedText
    public var publisher: String?
    public var license: String?
    @OrNull public var version: Version?
    /// The identifier of the operation that installed this version of the sticker pack.
    ///
    /// `nil` for an unmanaged pack, which a user placed by hand.
    @OrNull public var operation: OperationID?
    /// The absolute path of the sticker pack's directory.
    public var path: String
    /// The path of the sticker pack's cover image, relative to the pack's directory; `nil` if there is none.
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
