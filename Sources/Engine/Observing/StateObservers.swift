import StoreDownloads
public import StoreEvents
import StoreLibrary
public import StoreModel
import StoreSkins
import StoreStickers

/// The state of a home for observers: snapshots, sequences of changes, and observer objects.
public struct StateObservers: Sendable {
    let events: EventBus
    let downloads: DownloadsManager
    let packs: PackLister
    let skins: SkinsManager
    let stickers: StickersManager
    let list = ObserverRegistry()

    /// Returns the downloads, the packs, the skin in use, and the sequence number of the last event that they contain.
    ///
    /// Events after that number bring the snapshot up to date. A download is in it once and in its newest state; a pack
    /// that changes at the same time may be in it as the next event describes it.
    ///
    /// - Parameter languages: the languages of names, the best first.
    /// - Throws: a file error.
    public func snapshot(languages: [String] = []) async throws -> StoreSnapshot {
        await downloads.resumptionEnded()
        let (sequence, downloads) = events.downloadSnapshot
        let packs = try await packs.listing().packs(languages: languages)
        return StoreSnapshot(sequence: sequence, downloads: downloads, packs: packs, skin: skins.skinUse)
    }

    /// Returns a sequence of a snapshot and then every event, with another snapshot wherever a slow reader missed events.
    ///
    /// Each iterator is an observer of its own.
    ///
    /// - Parameters:
    ///   - filter: the events that are delivered; a snapshot contains everything.
    ///   - languages: the languages of names in snapshots, the best first.
    public func observations(_ filter: EventFilter = .all, languages: [String] = []) -> Observations {
        Observations(events: events, filter: filter) { try await snapshot(languages: languages) }
    }

    /// Returns a sequence of the installed packs now and after each change.
    ///
    /// - Parameter languages: the languages of their names, the best first.
    public func packs(languages: [String] = []) -> CurrentValueSequence<[InstalledPack]> {
        CurrentValueSequence(observations: observations(languages: languages)) { [packs] in
            try await packs.listing().packs(languages: languages)
        }
    }

    /// Returns a sequence of the sticker packs with their stickers, now and after each change.
    ///
    /// A directory that the user placed by hand is noticed with the next change.
    public func stickerPacks() -> CurrentValueSequence<[StickerPack]> {
        CurrentValueSequence(observations: observations(.kind(.sticker))) { [stickers] in try await stickers.packs() }
    }

    /// Adds an observer, which is called with a snapshot and then with every event until it is removed or deallocated.
    ///
    /// - Parameters:
    ///   - observer: the observer; it is referenced weakly.
    ///   - filter: the events that are delivered; a snapshot contains everything. Adding an observer again replaces it.
    ///   - executor: the executor of its methods that are isolated to no actor; `nil` is Swift's global one.
    public func add(
        _ observer: some StoreObserver, for filter: EventFilter = .all, on executor: (any TaskExecutor)? = nil
    ) {
        list.add(observer, observing: observations(filter), on: executor)
    }

    /// Removes an observer, which is not called again after the return; a call that runs now may still be running.
    public func remove(_ observer: some StoreObserver) { list.remove(observer) }
}
