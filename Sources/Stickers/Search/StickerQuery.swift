public import StoreModel

/// A search for stickers by words, emoji and emoticons.
///
/// A word finds the stickers in whose keywords, description (of any language), identifier or pack's name a word begins
/// with it, whatever the case and the diacritics. An emoji finds the stickers that stand for it; variation selectors
/// make no difference, and one with a skin tone also finds the stickers for the emoji without.
public struct StickerQuery: Sendable, Hashable {
    /// The words, emoji and emoticons, all of which a sticker must match; without any, all stickers match.
    public var text: String
    /// The product identifier of the only pack to search; `nil` searches all packs.
    public var pack: String?
    /// The maximum number of stickers in the result.
    public var limit: Int

    /// Creates a search for stickers.
    public init(_ text: String, pack: String? = nil, limit: Int = 100) {
        self.text = text
        self.pack = pack
        self.limit = limit
    }
}

/// The result of a search for stickers: the best ones, and how many there are.
public struct FoundStickers: Sendable, Hashable {
    /// The stickers that match best, the best first.
    public var stickers: [InstalledSticker]
    /// The number of stickers that match.
    public var total: Int
}
