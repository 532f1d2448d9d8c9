import StoreDownloads
public import StoreEvents
import StoreLibrary
public import StoreModel
import StoreStickers

/// The part of the engine for observing its state: snapshots, sequences of changes, and observer objects.
///
/// The state consists of the downloads, the installed packs, the stores, the purchases, the settings, the skin in use and the
/// lists of stickers.
public struct StateObservers: Sendable {
    let events: EventBus
    let downloads: DownloadsManager
    let packs: PackLister
    let publisher: StatePublisher
    let skinEvents: SkinEvents
    let stickers: StickersManager
    let list = ObserverRegistry()

    /// Returns a snapshot of the engine's state, with the sequence number of the last event that it includes.
    ///
    /// A client brings the snapshot up to date with the events after that number. Two snapshots with the same number are
    /// equal: where something changed that no event has reported yet, such as a pack that was placed by hand, its event is
    /// published first.
    ///
    /// - Parameter languages: the languages of names, the best first.
    /// - Throws: a file or database error.
    public func snapshot(languages: [String] = []) async throws -> StoreSnapshot {
        await downloads.resumptionEnded()
        await skinEvents.publish()
        try await publisher.publishAll()
        let (sequence, downloads, state) = events.stateSnapshot
        return StoreSnapshot(
            sequence: sequence, downloads: downloads, packs: state.packs(in: languages),
            stores: state.stores.values.sorted { ($1.priority, $0.name) < ($0.priority, $1.name) },
            purchases: state.purchases.values.sorted { $0.productIdentifier < $1.productIdentifier },
            settings: state.settings.values.sorted { $0.key < $1.key }, skin: state.skin,
            stickers: state.stickers)
    }

    /// Returns a sequence of a snapshot of the engine's state and then every event.
    ///
    /// Wherever a slow reader missed events, another snapshot follows. Each iterator is an independent observer.
    ///
    /// - Parameters:
    ///   - filter: the events that are delivered; a snapshot contains everything.
    ///   - languages: the languages of names in snapshots, the best first.
    public func observations(_ filter: EventFilter = .all, languages: [String] = []) -> Observations {
        Observations(events: events, filter: filter) { try await snapshot(languages: languages) }
    }

    /// Returns a sequence of the list of installed packs: now and after each change.
    ///
    /// - Parameter languages: the languages of the packs' names, the best first.
    public func packs(languages: [String] = []) -> CurrentValueSequence<[InstalledPack]> {
        CurrentValueSequence(observations: observations(languages: languages)) { [packs] in
            try await packs.listing().packs(languages: languages)
        }
    }

    /// Returns a sequence of the list of sticker packs with their stickers: now and after each change.
    ///
    /// A directory that the user placed by hand is noticed with the next change.
    public func stickerPacks() -> CurrentValueSequence<[StickerPack]> {
        CurrentValueSequence(observations: observations(.kind(.sticker))) { [stickers] in try await stickers.packs() }
    }

    /// Adds an observer object, which is called with a snapshot of the state and then with every event.
    ///
    /// The calls end when the observer is removed or deallocated.
    ///
    /// - Parameters:
    ///   - observer: the observer; it is referenced weakly. Adding an observer again replaces its registration.
    ///   - filter: the events that are delivered; a snapshot contains everything.
    ///   - executor: the executor of the observer's methods that are isolated to no actor; `nil` is Swift's global one.
    public func add(
        _ observer: some StoreObserver, for filter: EventFilter = .all, on executor: (any TaskExecutor)? = nil
    ) {
        list.add(observer, observing: observations(filter), on: executor)
    }

    /// Removes an observer object, which then receives no more events.
    ///
    /// No call of the observer begins after the return; a call that is in progress may still be running.
    public func remove(_ observer: some StoreObserver) { list.remove(observer) }
}
