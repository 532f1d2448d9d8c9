public import StoreModel

/// Everything that the library's database has recorded of the user's use of stickers.
///
/// It may name stickers and packs that are not installed.
public struct StickerRecords: Sendable, Hashable {
    /// The uses of stickers, those that were sent last first.
    public var uses: [StickerUse] = []
    /// The favourites, in the order in which they were added.
    public var favourites: [StickerName] = []
    /// The product identifiers of the packs whose order the user has set, in the user's order.
    public var order: [String] = []

    /// Creates a record of no use.
    public init() {}
}
