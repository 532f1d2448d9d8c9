import StoreDownloads
import StoreEvents
import StoreModel
import StoreSkins

/// A publisher of an event for each change of the skin in use.
actor SkinEvents {
    /// The maximum number of changed identifiers and custom properties of a skin in one event.
    private static let maximumChanges = 1_000

    private let skins: SkinsManager
    private let events: EventBus
    private let publisher: StatePublisher
    /// The skin that was published last, and the changes after it; `nil` before ``start()``.
    private var published: (skin: ResolvedSkin, changes: SkinChanges.Iterator)?
    private var task: Task<Void, Never>?

    init(skins: SkinsManager, events: EventBus, publisher: StatePublisher) {
        self.skins = skins
        self.events = events
        self.publisher = publisher
    }

    /// Begins to publish events for changes of the skin that is in use at the moment of the call.
    func start() {
        // The changes first, so that none is missed in between.
        let changes = skins.changes.makeAsyncIterator()
        published = (skins.skin, changes)
        task = Task { await follow() }
    }

    private nonisolated func follow() async {
        var changes = skins.changes.makeAsyncIterator()
        // A change may have come before this iterator was created.
        repeat { await publish() } while await changes.next() != nil
    }

    /// Publishes the change of the skin in use since the last event, if there is one.
    ///
    /// Several changes may be published as one.
    func publish() async {
        guard let shown = published?.skin, let change = published?.changes.nextIfChanged() else { return }
        published?.skin = change.skin
        let difference = Self.difference(from: shown, to: change.skin, of: skins)
        events.publish(.skin(SkinUse(change.skin, change.status), change: difference))
        // Skins are packs, whose states say which of them are in use.
        await publisher.publish(.allPacks)
    }

    /// Stops publishing events for changes of the skin in use.
    func stop() async {
        task?.cancel()
        await task?.value
    }

    /// Returns the difference between two skins, for an event.
    ///
    /// The result is `nil` if the difference is so large that clients should read the whole skin instead.
    static func difference(from old: ResolvedSkin, to new: ResolvedSkin, of skins: SkinsManager) -> SkinDifference? {
        let change = SkinDifference(
            from: old.identifier.isEmpty ? nil : old, to: new, vocabulary: skins.settings.vocabulary,
            address: new.address)
        let count = change.identifiers.count + change.properties.count
        return count <= maximumChanges ? change : nil
    }
}
