/// The user's lists of stickers and of sticker packs, as snapshots contain them.
///
/// They contain only stickers and packs that are installed.
public struct StickerLists: Sendable, Hashable, Codable {
    /// The stickers that were sent last, the newest first, each once.
    public var recents: [StickerName]
    /// The stickers that were sent most often, the most frequent first; a recent use counts more than an old one.
    public var frequent: [StickerName]
    /// The stickers that the user marked as favourites, in the order in which that was done.
    public var favourites: [StickerName]
    /// The product identifiers of the sticker packs whose order the user has set, in order; the other packs follow.
    public var order: [String]

    public init(
        recents: [StickerName] = [], frequent: [StickerName] = [], favourites: [StickerName] = [], order: [String] = []
    ) {
        self.recents = recents
        self.frequent = frequent
        self.favourites = favourites
        self.order = order
    }

    /// One of the user's lists of stickers or of sticker packs; the raw value is its name in JSON.
    public enum List: String, Sendable, Hashable, Codable, CaseIterable {
        case recents, frequent, favourites, order
    }

    /// Returns the complete content of a list, for an event.
    public func change(of list: List) -> StickersChange {
        switch list {
        case .recents: StickersChange(list: list, stickers: recents)
        case .frequent: StickersChange(list: list, stickers: frequent)
        case .favourites: StickersChange(list: list, stickers: favourites)
        case .order: StickersChange(list: list, packs: order)
        }
    }

    /// Replaces the content of a list by what an event contains.
    public mutating func apply(_ change: StickersChange) {
        switch change.list {
        case .recents: recents = change.stickers
        case .frequent: frequent = change.stickers
        case .favourites: favourites = change.stickers
        case .order: order = change.packs
        }
    }
}

/// A change of one of the user's lists of stickers, as an event reports it: the complete content after the change.
public struct StickersChange: Sendable, Hashable, Codable {
    /// The list that changed.
    public var list: StickerLists.List
    /// The stickers in the list; empty for the order of packs.
    public var stickers: [StickerName]
    /// The product identifiers of the sticker packs in order; empty for lists of stickers.
    public var packs: [String]

    public init(list: StickerLists.List, stickers: [StickerName] = [], packs: [String] = []) {
        self.list = list
        self.stickers = stickers
        self.packs = packs
    }
}
