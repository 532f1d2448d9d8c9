import StoreDownloads
import StoreEvents
import StoreModel
import StoreSkins
import Synchronization

/// A publisher of an event for each change of the skin in use.
final class SkinEvents: Sendable {
    /// The maximum number of changed identifiers and custom properties of a skin in one event.
    private static let maximumChanges = 1_000

    private let skins: SkinsManager
    private let events: EventBus
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(skins: SkinsManager, events: EventBus) {
        self.skins = skins
        self.events = events
    }

    /// Begins to publish events for changes of the skin that is in use at the moment of the call.
    func start() {
        let (skins, events) = (skins, events)
        var (shown, changes) = (skins.skin, skins.changes.makeAsyncIterator())
        let publishing = Task {
            while let change = await changes.next() {
                let difference = Self.difference(from: shown, to: change.skin, of: skins)
                events.publish(.skin(SkinUse(change.skin, change.status), change: difference))
                shown = change.skin
            }
        }
        task.withLock { $0 = publishing }
    }

    /// Stops publishing events for changes of the skin in use.
    func stop() async {
        let task = task.withLock { $0 }
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
