import StoreDatabase
import StoreLibrary
import StoreModel

extension StickersManager {
    /// The time for which a search does not look again whether unmanaged packs were changed in place.
    private static let checkInterval = Duration.seconds(1)

    /// Returns the stickers that match a search, the best first, and then in the user's order of packs.
    ///
    /// Among equally good ones, favourites and stickers that were sent are first. The first search reads all packs;
    /// further ones only what was installed, updated or placed since. A pack that can't be read has no stickers. The
    /// properties of images are those that are known.
    ///
    /// - Throws: an error of the file system, if the directory of the installed packs can't be listed.
    public func search(_ query: StickerQuery) async throws -> FoundStickers {
        let packs = try await packsToSearch()
        let records = (try? await records()) ?? StickerRecords()
        let uses = StickerUses(records)
        let terms = SearchTerm.terms(of: query.text)
        // The places of the stickers with each score, in the order of the packs.
        var found: [[(pack: String, sticker: Int)]] = []
        var total = 0
        for pack in sorted(packs, by: records.order) {
            guard query.pack == nil || query.pack == pack.productIdentifier, let pack = known[pack.folder] else {
                continue
            }
            let bonuses = uses.bonuses[pack.pack.productIdentifier]
            pack.index.search(terms) { sticker, score in
                total += 1
                let bonus = bonuses.flatMap { $0[pack.content.stickers[sticker].id] } ?? 0
                let score = score * 4 + bonus
                while found.count <= score { found.append([]) }
                // No more of one score can be in the result.
                if found[score].count < query.limit { found[score].append((pack.pack.folder, sticker)) }
            }
        }
        let best = found.reversed().joined().prefix(max(0, query.limit))
        let stickers = best.compactMap { place in
            known[place.pack].map { uses.installed($0.sticker(at: place.sticker), of: $0) }
        }
        return FoundStickers(stickers: stickers, total: total)
    }

    /// Returns all sticker packs, after those that are not known as they are now were read.
    private func packsToSearch() async throws -> [LibraryPack] {
        let (all, changes) = try await library.counted()
        if let searched, searched.changes == changes, searched.checkedAt.duration(to: .now) < Self.checkInterval {
            return searched.packs
        }
        let packs = all.filter { $0.kind == .sticker }
        try await read(packs, isExact: false)
        forgetPacks(except: packs)
        searched = (packs, changes, .now)
        return packs
    }
}
