public import FoundationEssentials

/// A sticker of an installed pack, in a list of stickers of several packs: the sticker with its pack and its use.
public struct InstalledSticker: Sendable, Hashable, Codable {
    public var productIdentifier: String
    /// The name of the sticker's pack.
    public var packName: LocalizedText
    public var sticker: Sticker
    /// Whether the user marked the sticker as a favourite.
    public var favourite: Bool
    /// When the sticker was sent last; `nil` if it never was, or that was forgotten.
    @OrNull public var sentAt: Date?
    /// How often the sticker was sent.
    public var sentCount: Int

    public init(
        productIdentifier: String, packName: LocalizedText, sticker: Sticker, favourite: Bool = false,
        sentAt: Date? = nil, sentCount: Int = 0
    ) {
        self.productIdentifier = productIdentifier
        self.packName = packName
        self.sticker = sticker
        self.favourite = favourite
        self.sentAt = sentAt
        self.sentCount = sentCount
    }

    /// The name of the sticker among all packs.
    public var name: StickerName { StickerName(productIdentifier: productIdentifier, sticker: sticker.id) }
}
