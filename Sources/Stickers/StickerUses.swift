import FoundationEssentials
import StoreDatabase
import StoreModel

/// The uses and favourites of the user by sticker, for one request.
struct StickerUses {
    private let uses: [StickerName: StickerUse]
    private let favourites: Set<StickerName>
    /// What is added to the score of a sticker in a search, by product and sticker.
    let bonuses: [String: [String: Int]]

    init(_ records: StickerRecords) {
        uses = Dictionary(records.uses.map { ($0.name, $0) }) { first, _ in first }
        favourites = Set(records.favourites)
        var bonuses: [String: [String: Int]] = [:]
        for name in uses.keys { bonuses[name.productIdentifier, default: [:]][name.sticker, default: 0] += 1 }
        for name in favourites { bonuses[name.productIdentifier, default: [:]][name.sticker, default: 0] += 2 }
        self.bonuses = bonuses
    }

    /// Returns a sticker of a pack as it is listed, with its use.
    func installed(_ sticker: Sticker, of pack: KnownStickerPack) -> InstalledSticker {
        let name = StickerName(productIdentifier: pack.pack.productIdentifier, sticker: sticker.id)
        return InstalledSticker(
            productIdentifier: name.productIdentifier, packName: pack.pack.name, sticker: sticker,
            favourite: favourites.contains(name), sentAt: uses[name]?.sentAt, sentCount: uses[name]?.count ?? 0)
    }
}
