import StoreModel
import Synchronization

/// A registry of observer objects, each with the task that calls its methods for events.
public final class ObserverRegistry: Sendable {
    private struct Entry {
        let delivery: ObserverDelivery
        var task: Task<Void, Never>?

        func stop() {
            delivery.stop()
            task?.cancel()
        }
    }
    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// Creates a registry without observer objects.
    public init() {}

    deinit {
        for entry in entries.withLock({ Array($0.values) }) { entry.stop() }
    }

    /// The number of registered observer objects.
    public var count: Int { entries.withLock { $0.count } }

    /// Registers an observer object for snapshots and events; registering it again replaces its observations.
    ///
    /// The observer is referenced weakly.
    ///
    /// - Parameters:
    ///   - observer: The object whose methods are called.
    ///   - observations: The snapshots and events that the observer receives.
    ///   - executor: The executor of methods that belong to no actor; `nil` uses the default executor.
    public func add(
        _ observer: some StoreObserver, observing observations: Observations, on executor: (any TaskExecutor)?
    ) {
        let key = ObjectIdentifier(observer)
        let delivery = ObserverDelivery(observer)
        let previous = entries.withLock { $0.updateValue(Entry(delivery: delivery), forKey: key) }
        previous?.stop()
        // Created while no lock is held: an executor may run the task immediately.
        let task = Task(executorPreference: executor) { [weak self] in
            await delivery.run(observations)
            self?.remove(key, delivery)
        }
        let isRegistered = entries.withLock { entries in
            guard entries[key]?.delivery === delivery else { return false }
            entries[key]?.task = task
            return true
        }
        if !isRegistered { task.cancel() }
    }

    /// Unregisters an observer object; no call of its methods begins after the return.
    public func remove(_ observer: some StoreObserver) {
        entries.withLock { $0.removeValue(forKey: ObjectIdentifier(observer)) }?.stop()
    }

    /// Removes an observer's entry unless another delivery, for a newly registered observer, has replaced it.
    ///
    /// A new object may have the address of a released one.
    private func remove(_ key: ObjectIdentifier, _ delivery: ObserverDelivery) {
        entries.withLock { entries in
            if entries[key]?.delivery === delivery { entries[key] = nil }
        }
    }
}

/// The delivery of snapshots and events to one observer object.
private final class ObserverDelivery: Sendable {
    private struct State {
        weak var observer: (any StoreObserver)?
        var isStopped = false
    }
    private let state: Mutex<State>

    init(_ observer: any StoreObserver) { state = Mutex(State(observer: observer)) }

    func stop() { state.withLock { $0.isStopped = true } }

    /// The object that receives snapshots and events; `nil` after it was released or unregistered.
    private var observer: (any StoreObserver)? { state.withLock { $0.isStopped ? nil : $0.observer } }

    func run(_ observations: Observations) async {
        var iterator = observations.makeAsyncIterator()
        while true {
            let observation: Observation
            do {
                guard let next = try await iterator.next() else { return }
                observation = next
            } catch {
                // No snapshot can be taken at the moment, for example because the disk fails; taking one is tried again
                // until it succeeds.
                if Task.isCancelled || observer == nil { return }
                try? await Task.sleep(for: .seconds(1))
                continue
            }
            guard let observer else { return }
            // Errors of an observer are ignored.
            try? await Self.call(observer, with: observation)
        }
    }

    private static func call(_ observer: any StoreObserver, with observation: Observation) async throws {
        switch observation {
        case .snapshot(let snapshot): try await observer.snapshotTaken(snapshot)
        case .event(let event):
            switch event.happening {
            case .download(let status): try await observer.downloadChanged(status)
            case .pack(let change): try await observer.packChanged(change)
            case .store(let change): try await observer.storeChanged(change)
            case .trust(let change): try await observer.trustChanged(change)
            case .purchase(let change): try await observer.purchaseChanged(change)
            case .setting(let setting): try await observer.settingChanged(setting)
            case .catalogue(let store): try await observer.catalogueChanged(ofStore: store)
            case .updates(let updates): try await observer.updatesFound(updates)
            case .skin(let use, let change): try await observer.skinChanged(use, change)
            case .stickers(let change): try await observer.stickersChanged(change)
            case .unknown: break
            }
        }
    }
}
