public import StoreModel
import Synchronization

/// An object that wants to be told what happens, in the classic form: see `StoreManager.addObserver`. The same is to be
/// had as an asynchronous sequence (``Observations``).
///
/// An observer is told one thing after the other, in the order in which it happened; the next one only when the method
/// has returned. Methods of an actor, or of a class of the main actor, run there. One that takes long delays nobody else:
/// progress that has been overtaken meanwhile is left out, and where even the changes of state have no room any more, a
/// snapshot takes their place. What a method throws is dropped, and the next thing is told all the same.
public protocol StoreObserver: AnyObject, Sendable {
    /// Told first, and again where some events could not be told: the present state, which replaces all before it.
    func storeStands(_ snapshot: StoreSnapshot) async throws
    /// Told for every change of a download. Its end is told once, as the last thing about it.
    func downloadChanged(_ status: DownloadStatus) async throws
    /// Told when a pack was installed, updated or removed, or found damaged.
    func packChanged(_ change: PackChange) async throws
    /// Told when a store's catalogue changed.
    func catalogueChanged(ofStore store: String) async throws
    /// Told when there are newer versions of packs, of each version once.
    func updatesFound(_ updates: [AvailableUpdate]) async throws
    /// Told when another skin is in use, or the same in another version.
    ///
    /// - Parameter change: what is another; `nil` where that is so much that the skin is better read anew.
    func skinChanged(_ use: SkinUse, _ change: SkinDifference?) async throws
}

// An observer implements what it wants to hear.
extension StoreObserver {
    public func storeStands(_ snapshot: StoreSnapshot) async throws {}
    public func downloadChanged(_ status: DownloadStatus) async throws {}
    public func packChanged(_ change: PackChange) async throws {}
    public func catalogueChanged(ofStore store: String) async throws {}
    public func updatesFound(_ updates: [AvailableUpdate]) async throws {}
    public func skinChanged(_ use: SkinUse, _ change: SkinDifference?) async throws {}
}

/// The observers that were added, each with the task that tells it.
public final class ObserverList: Sendable {
    private struct Entry {
        let telling: Telling
        var task: Task<Void, Never>?

        func stop() {
            telling.stop()
            task?.cancel()
        }
    }
    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    public init() {}

    deinit {
        for entry in entries.withLock({ Array($0.values) }) { entry.stop() }
    }

    /// How many there are.
    public var count: Int { entries.withLock { $0.count } }

    /// Tells an observer, which is not kept alive, from now on. One that was added before is told only this from now on.
    ///
    /// - Parameters:
    ///   - observations: what it is told.
    ///   - executor: where those of its methods run that belong to no actor.
    public func add(_ observer: some StoreObserver, of observations: Observations, on executor: (any TaskExecutor)?) {
        let name = ObjectIdentifier(observer)
        let telling = Telling(observer)
        let old = entries.withLock { $0.updateValue(Entry(telling: telling), forKey: name) }
        old?.stop()
        // Begun when no lock is held: an executor may run it at once.
        let task = Task(executorPreference: executor) { [weak self] in
            await telling.tell(observations)
            self?.forget(name, telling)
        }
        let isWanted = entries.withLock { entries in
            guard entries[name]?.telling === telling else { return false }
            entries[name]?.task = task
            return true
        }
        if !isWanted { task.cancel() }
    }

    /// Tells an observer nothing more.
    public func remove(_ observer: some StoreObserver) {
        entries.withLock { $0.removeValue(forKey: ObjectIdentifier(observer)) }?.stop()
    }

    /// An object may lie where one lay that has gone.
    private func forget(_ name: ObjectIdentifier, _ telling: Telling) {
        entries.withLock { entries in
            if entries[name]?.telling === telling { entries[name] = nil }
        }
    }
}

/// The telling of one observer.
private final class Telling: Sendable {
    private struct State {
        weak var observer: (any StoreObserver)?
        var isStopped = false
    }
    private let state: Mutex<State>

    init(_ observer: any StoreObserver) { state = Mutex(State(observer: observer)) }

    func stop() { state.withLock { $0.isStopped = true } }

    /// The observer, as long as it is there and wants to hear.
    private var observer: (any StoreObserver)? { state.withLock { $0.isStopped ? nil : $0.observer } }

    func tell(_ observations: Observations) async {
        var iterator = observations.makeAsyncIterator()
        while true {
            let observation: Observation
            do {
                guard let next = try await iterator.next() else { return }
                observation = next
            } catch {
                // No snapshot can be had now, which whoever wants to know of it finds out by asking for one. It can be
                // had when the disk is well again, which the next thing that happens shows.
                if Task.isCancelled || observer == nil { return }
                try? await Task.sleep(for: .seconds(1))
                continue
            }
            guard let observer else { return }
            // What an observer throws is its own affair.
            try? await Self.tell(observer, observation)
        }
    }

    private static func tell(_ observer: any StoreObserver, _ observation: Observation) async throws {
        switch observation {
        case .snapshot(let snapshot): try await observer.storeStands(snapshot)
        case .event(let event):
            switch event.happening {
            case .download(let status): try await observer.downloadChanged(status)
            case .pack(let change): try await observer.packChanged(change)
            case .catalogue(let store): try await observer.catalogueChanged(ofStore: store)
            case .updates(let updates): try await observer.updatesFound(updates)
            case .skin(let use, let change): try await observer.skinChanged(use, change)
            case .unknown: break
            }
        }
    }
}
