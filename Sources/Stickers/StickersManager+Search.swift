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
        let recordChanges = recordChanges
        let records = try? await records()
        try await updateIndex()
        let packs = orderedPacks(records ?? StickerRecords(), records == nil ? nil : recordChanges)
        let (best, total) = packs.search(query, in: searched.index)
        let stickers = best.compactMap { place in
            let pack = packs.packs[place.pack]
            return known[pack.folder].map { packs.uses.installed($0.sticker(at: place.sticker), of: $0) }
        }
        return FoundStickers(stickers: stickers, total: total)
    }

    /// Reads the packs that have changed, and updates the search index.
    private func updateIndex() async throws {
        repeat {
            let (all, changes) = try await library.counted()
            let isSame = searched.changes == changes
            if !isSame || searched.checkedAt.map({ $0.duration(to: .now) >= Self.checkInterval }) != false {
                let packs = isSame ? searched.packs : all.filter { $0.kind == .sticker }
                // An installed pack that was read does not change as long as the library does not.
                let read = isSame ? packs.filter { $0.origin == nil || known[$0.folder] == nil } : packs
                try await self.read(read, isExact: false)
                if !isSame { forgetPacks(except: packs) }
                (searched.packs, searched.changes, searched.checkedAt) = (packs, changes, .now)
            }
            guard searched.contentChanges != contentChanges else { return }
            let (index, found) = (searched.index, contentChanges)
            let packs = searched.packs.compactMap { known[$0.folder] }
            let updated = try await work.run { index.updated(to: packs) }
            // Another search may have been faster, or a pack may have been read again.
            if found == contentChanges, searched.contentChanges != found {
                (searched.index, searched.contentChanges, searched.ordered) = (updated, found, nil)
            }
        } while searched.contentChanges != contentChanges
    }

    /// Returns the packs of the search index in the user's order.
    ///
    /// - Parameter changes: the number of changes of the records; `nil` if they could not be read.
    private func orderedPacks(_ records: StickerRecords, _ changes: Int?) -> OrderedStickerPacks {
        if let ordered = searched.ordered, ordered.changes == changes { return ordered }
        let ordered = OrderedStickerPacks(
            Self.sorted(searched.packs, by: records.order).compactMap { known[$0.folder] }, in: searched.index,
            StickerUses(records), changes)
        searched.ordered = ordered
        return ordered
    }
}

/// The packs of the last search, with the search index and the states of the library and the packs that it is of.
struct SearchedPacks {
    var packs: [LibraryPack] = []
    /// The number of the library's state that the packs are of; `nil` before the first search.
    var changes: Int?
    /// When it was last checked whether unmanaged packs had changed.
    var checkedAt: ContinuousClock.Instant?
    var index = StickerIndexes()
    /// The ``StickersManager/contentChanges`` that the index contains.
    var contentChanges = 0
    /// The packs in the user's order; `nil` before a search with this index.
    var ordered: OrderedStickerPacks?
}
