/// The packs of a search index in the user's order, with what the user's records add to the scores of their stickers.
struct OrderedStickerPacks {
    /// A pack of a search index.
    struct Pack {
        /// The number of the index in ``StickerIndexes/parts``.
        let part: Int
        /// The numbers of the pack's stickers in that index.
        let stickers: Range<Int>
        let folder: String
        let productIdentifier: String
        /// The numbers to add to the scores of stickers, by their index in the pack; empty for most packs.
        let bonuses: [Int: Int]
    }

    let packs: [Pack]
    let uses: StickerUses
    /// The number of changes of the records that this was made of; `nil` if there were none.
    let changes: Int?

    /// Creates the list of packs, in their order, that are in a search index.
    init(_ packs: [KnownStickerPack], in index: StickerIndexes, _ uses: StickerUses, _ changes: Int?) {
        var places: [Int: (part: Int, stickers: Range<Int>)] = [:]
        for (number, part) in index.parts.enumerated() {
            for pack in part.packs where !pack.isRemoved { places[pack.number] = (number, pack.stickers) }
        }
        self.packs = packs.compactMap { pack in
            guard let place = places[pack.number] else { return nil }
            let identifier = pack.pack.productIdentifier
            var bonuses: [Int: Int] = [:]
            if let named = uses.bonuses[identifier] {
                for (index, sticker) in pack.content.stickers.enumerated() { bonuses[index] = named[sticker.id] }
            }
            return Pack(
                part: place.part, stickers: place.stickers, folder: pack.pack.folder, productIdentifier: identifier,
                bonuses: bonuses)
        }
        self.uses = uses
        self.changes = changes
    }

    /// Returns the stickers that match a search, the best first, as places in ``packs``, and how many match.
    func search(
        _ query: StickerQuery, in index: StickerIndexes
    ) -> (best: [(pack: Int, sticker: Int)], total: Int) {
        let terms = SearchTerm.terms(of: query.text)
        let scores = index.parts.map { $0.scores(of: terms) }
        // The places of the stickers with each score, in the order of the packs.
        var found: [[(pack: Int, sticker: Int)]] = []
        var total = 0
        func add(_ score: Int, _ pack: Int, _ sticker: Int) {
            total += 1
            while found.count <= score { found.append([]) }
            // No more of one score can be in the result.
            if found[score].count < query.limit { found[score].append((pack, sticker)) }
        }
        for (number, pack) in packs.enumerated() where query.pack == nil || query.pack == pack.productIdentifier {
            if terms.isEmpty {
                for sticker in 0..<pack.stickers.count { add(pack.bonuses[sticker] ?? 0, number, sticker) }
            } else if let scores = scores[pack.part] {
                for (sticker, score) in scores[pack.stickers].enumerated() where score > 0 {
                    add(Int(score) * 4 + (pack.bonuses.isEmpty ? 0 : pack.bonuses[sticker] ?? 0), number, sticker)
                }
            }
        }
        return (Array(found.reversed().joined().prefix(max(0, query.limit))), total)
    }
}
