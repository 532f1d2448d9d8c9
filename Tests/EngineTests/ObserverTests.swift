import StoreEngine
import StoreEvents
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@Suite(.hangGuard)
struct ObserverTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(
            .init("a"), .init("b"), .init("tool", ["x.txt": "x"], type: "plugin"), .init("bad", ["x.exe": "MZ"]))
    }

    /// Installs and removes packs, and waits for the ends.
    private func work(_ manager: StoreManager) async throws {
        try await manager.installed("a")
        try await manager.installed("b")
        _ = try await manager.packs.uninstall("a")
        try await manager.installed("a")
    }

    /// Returns all state changes after an event, as a subscription receives them.
    private func stateChanges(_ manager: StoreManager, after sequence: UInt64, _ filter: EventFilter = .all)
        async throws
        -> [String]
    {
        let events = try manager.events.subscribe(after: sequence, filter: filter)
        let end = manager.events.lastSequence
        var changes: [String] = []
        var last = sequence
        // A marker event, because the end of a filtered subscription can't be awaited.
        manager.events.publish(
            .pack(PackChange(productIdentifier: "b", kind: .sticker, change: .damaged, version: nil)))
        for try await event in events {
            if event.sequence > end { break }
            #expect(event.sequence > last)
            last = event.sequence
            if !event.event.isProgress { changes.append(event.event.summary) }
        }
        return changes
    }

    /// The moment between recording and start of a download can't be observed, so the test repeats the race.
    @Test func `a download that is cancelled at its start has one begin and one end`() async throws {
        let manager = try await home.open(using: store)
        let events = try manager.events.subscribe().makeAsyncIterator()
        var states: [OperationID: [DownloadState]] = [:]
        func receive(until isLast: (DownloadStatus) -> Bool) async throws {
            while let event = try await events.next() {
                guard case .download(let status) = event.event.happening else { continue }
                states[status.operation, default: []].append(status.state)
                if isLast(status) { return }
            }
        }
        for _ in 1...40 {
            let canceller = Task {
                while !Task.isCancelled {
                    _ = try? await manager.downloads.cancel("a")
                    await Task.yield()
                }
            }
            let operation = try #require(try await manager.installs.install("a", store: nil).operation)
            try await receive { $0.operation == operation && $0.state.isEnd }
            canceller.cancel()
            await canceller.value
            if states[operation]?.last == .finished { _ = try await manager.packs.uninstall("a") }
        }
        let snapshot = manager.events.downloadSnapshot.downloads
        #expect(Set(snapshot.map(\.operation)).count == snapshot.count)
        await manager.close()
        try await receive { _ in false }
        #expect(states.count == 40)
        for (operation, states) in states {
            #expect(states.first == .initializing && states.count(where: \.isEnd) == 1, "\(operation): \(states)")
        }
    }

    @Test func `each observer receives every state once, in order, and one end`() async throws {
        let manager = try await home.open(using: store)
        let recorders = (0..<3).map { _ in Recorder() }
        let window = Window()
        let actorObserver = ActorObserver()
        for recorder in recorders { manager.observers.add(recorder) }
        manager.observers.add(window)
        manager.observers.add(actorObserver)
        for recorder in recorders { try await eventually { recorder.snapshots.count == 1 } }
        try await eventually { await window.snapshots == 1 }
        try await eventually { await actorObserver.snapshots == 1 }
        let start = recorders[0].snapshots[0].sequence
        try await work(manager)
        let wanted = try await stateChanges(manager, after: start)
        #expect(wanted.count { $0.contains("Finished") } == 3 && wanted.count { $0.contains("removed") } == 1)
        for recorder in recorders {
            try await eventually { recorder.received.count > wanted.count }
            #expect(Array(recorder.received.prefix(wanted.count)) == wanted)
            #expect(recorder.snapshots.count == 1)
        }
        try await eventually { await window.received.count > wanted.count }
        #expect(await Array(window.received.prefix(wanted.count)) == wanted)
        try await eventually { await actorObserver.received.count > wanted.count }
        #expect(await Array(actorObserver.received.prefix(wanted.count)) == wanted)
        await manager.close()
    }

    @Test func `the sequence of pack lists has the present value and each change`() async throws {
        let manager = try await home.open(using: store)
        var packs = manager.observers.packs().makeAsyncIterator()
        var stickers = manager.observers.stickerPacks().makeAsyncIterator()
        #expect(try await packs.next() == [])
        #expect(try await stickers.next() == [])
        try await manager.installed("a")
        #expect(try await packs.next()?.map(\.productIdentifier) == ["a"])
        #expect(try await stickers.next()?.map(\.productIdentifier) == ["a"])
        // A slow reader gets the latest value and none between.
        try await manager.installed("b")
        _ = try await manager.packs.uninstall("a")
        #expect(try await stickers.next()?.map(\.productIdentifier) == ["b"])
        #expect(try await packs.next()?.map(\.productIdentifier) == ["b"])
        await manager.close()
        #expect(try await packs.next() == nil)
        #expect(try await stickers.next() == nil)
    }

    @Test func `observations begin with a snapshot and continue after it`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        var observations = manager.observers.observations().makeAsyncIterator()
        guard case .snapshot(let snapshot) = try await observations.next() else {
            Issue.record("no snapshot")
            return
        }
        #expect(snapshot.packs.map(\.productIdentifier) == ["a"])
        #expect(snapshot.downloads.map(\.state) == [.finished] && snapshot.downloads.map(\.kind) == [.sticker])
        try await manager.installed("b")
        var summary: [String] = []
        while summary.last?.hasPrefix("pack") != true, case .event(let event)? = try await observations.next() {
            #expect(event.sequence > snapshot.sequence)
            #expect(event.productIdentifier ?? "b" == "b", "other events are about the store")
            if !event.isProgress { summary.append(event.summary) }
        }
        #expect(summary.count { $0.contains("Finished") } == 1)
        await manager.close()
        #expect(try await observations.next() == nil)
    }

    @Test func `a filter selects the events of one product or kind`() async throws {
        let manager = try await home.open(using: store)
        let (product, kind) = (Recorder(), Recorder())
        manager.observers.add(product, for: .product("b"))
        manager.observers.add(kind, for: .kind(.plugin))
        try await eventually { product.snapshots.count == 1 && kind.snapshots.count == 1 }
        let start = product.snapshots[0].sequence
        try await work(manager)
        #expect(try await manager.installed("tool", consent: [.code]).state == .finished)
        let wanted = try await stateChanges(manager, after: start, .product("b"))
        try await eventually { product.received.count > wanted.count }
        #expect(Array(product.received.prefix(wanted.count)) == wanted && !wanted.isEmpty)
        #expect(product.received.allSatisfy { $0.contains(" b ") })
        // The packs of the other kind were installed before, so that their events would have come first.
        try await eventually { kind.received.contains("pack tool installed") }
        #expect(kind.received.allSatisfy { $0.contains(" tool ") })
        await manager.close()
    }

    @Test func `an observer that is slow, throws or is deallocated does not affect the others`() async throws {
        let manager = try await home.open(using: store)
        let (quick, slow, throwing) = (Recorder(), Recorder(), Recorder())
        let gate = Promise<Void>()
        slow.first = { try? await gate.value() }
        throwing.each = { throw CancellationError() }
        var gone: Recorder? = Recorder()
        weak let weakly = gone
        for recorder in [quick, slow, throwing] { manager.observers.add(recorder) }
        manager.observers.add(gone!)
        try await eventually { quick.snapshots.count == 1 && weakly?.snapshots.count == 1 }
        let start = quick.snapshots[0].sequence
        gone = nil
        // The list holds an observer only while it calls it.
        try await eventually { weakly == nil }
        try await work(manager)
        let wanted = try await stateChanges(manager, after: start)
        for recorder in [quick, throwing] {
            try await eventually { recorder.received.count > wanted.count }
            #expect(Array(recorder.received.prefix(wanted.count)) == wanted)
        }
        #expect(slow.received.isEmpty && slow.snapshots.isEmpty)
        gate.keep(())
        try await eventually { slow.snapshots.count == 1 }
        #expect(slow.snapshots[0].sequence >= start)
        // A deallocated observer is no longer in the list.
        try await eventually { manager.events.subscriptionCount == 3 }
        await manager.close()
    }

    @Test func `a removed observer is not called again`() async throws {
        let manager = try await home.open(using: store)
        let (one, other) = (Recorder(), Recorder())
        // The observer is removed while it handles its first event.
        one.onEvent = { manager.observers.remove(one) }
        manager.observers.add(one)
        manager.observers.add(other)
        try await eventually { one.snapshots.count == 1 && other.snapshots.count == 1 }
        try await work(manager)
        let wanted = try await stateChanges(manager, after: other.snapshots[0].sequence)
        try await eventually { other.received.count > wanted.count }
        #expect(one.received.count == 1)
        // Removing an observer twice, or one that was never added, has no effect; an observer that is added again
        // begins with a snapshot.
        manager.observers.remove(one)
        manager.observers.remove(Recorder())
        manager.observers.add(other)
        try await eventually { other.snapshots.count == 2 }
        try await eventually { manager.events.subscriptionCount == 1 }
        await manager.close()
        withExtendedLifetime(one) {}
    }

    @Test func `nonisolated methods of an observer run on its executor`() async throws {
        let manager = try await home.open(using: store)
        let executor = QueueExecutor()
        let recorder = Recorder()
        let isThere = Mutex<Set<Bool>>([])
        recorder.each = { isThere.withLock { _ = $0.insert(executor.isCurrent) } }
        manager.observers.add(recorder, on: executor)
        try await eventually { recorder.snapshots.count == 1 }
        try await manager.installed("a")
        try await eventually { recorder.received.contains { $0.contains("Finished") } }
        #expect(isThere.withLock { $0 } == [true])
        await manager.close()
    }

    @Test func `an observer whose queue overflows gets another snapshot`() async throws {
        let counter = Mutex<UInt64>(1)
        let bus = try await EventBus(subscriptionCapacity: 20) { count in
            counter.withLock { next in
                defer { next += UInt64(count) }
                return next..<next + UInt64(count)
            }
        }
        let observations = Observations(events: bus, filter: .all) {
            let snapshot = bus.downloadSnapshot
            return StoreSnapshot(sequence: snapshot.sequence, downloads: snapshot.downloads, packs: [])
        }
        let list = ObserverRegistry()
        let recorder = Recorder()
        let gate = Promise<Void>()
        recorder.firstEvent = { try? await gate.value() }
        list.add(recorder, observing: observations, on: nil)
        try await eventually { recorder.snapshots.count == 1 }
        bus.publish(.catalogue(store: "0"))
        try await eventually { recorder.received.count == 1 }
        for place in 1..<100 { bus.publish(.catalogue(store: "\(place)")) }
        // The queue overflows while the observer waits, not before or after.
        await bus.flush()
        gate.keep(())
        try await eventually { recorder.snapshots.count == 2 }
        #expect(recorder.snapshots[1].sequence == 100)
        bus.publish(.catalogue(store: "after"))
        try await eventually { recorder.received.last == "catalogue after" }
        #expect(recorder.received == ["catalogue 0", "catalogue after"])
        list.remove(recorder)
        #expect(list.count == 0)
        await bus.close()
    }
}

extension Event {
    /// The parts of an event that are the same for all observers.
    fileprivate var summary: String {
        switch happening {
        case .download(let status): status.summary
        case .pack(let change): change.summary
        case .store(let change): "store \(change.store)"
        case .trust(let change): "trust \(change.store)"
        case .purchase(let change): "purchase \(change.productIdentifier)"
        case .setting(let setting): "setting \(setting.key)"
        case .catalogue(let store): "catalogue \(store)"
        case .updates(let updates): "updates \(updates.count)"
        case .skin(let use, _): "skin \(use.skin?.identifier ?? "")"
        case .stickers, .unknown: "other"
        }
    }
}

extension DownloadStatus {
    fileprivate var summary: String {
        "download \(productIdentifier) \(operation) \(state.rawValue) \(activity?.rawValue ?? "")"
    }
}

extension PackChange {
    fileprivate var summary: String { "pack \(productIdentifier) \(change.rawValue)" }
}

/// An observer that is no actor.
private final class Recorder: StoreObserver {
    private struct State {
        var snapshots: [StoreSnapshot] = []
        var received: [String] = []
        var first: (@Sendable () async -> Void)?
        var firstEvent: (@Sendable () async -> Void)?
        var each: (@Sendable () throws -> Void)?
        var onEvent: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    var snapshots: [StoreSnapshot] { state.withLock { $0.snapshots } }
    /// The received changes except progress.
    var received: [String] { state.withLock { $0.received } }
    /// Called before the first snapshot is recorded.
    var first: (@Sendable () async -> Void)? {
        get { state.withLock { $0.first } }
        set { state.withLock { $0.first = newValue } }
    }
    /// Called after the first event was recorded.
    var firstEvent: (@Sendable () async -> Void)? {
        get { state.withLock { $0.firstEvent } }
        set { state.withLock { $0.firstEvent = newValue } }
    }
    var each: (@Sendable () throws -> Void)? {
        get { state.withLock { $0.each } }
        set { state.withLock { $0.each = newValue } }
    }
    var onEvent: (@Sendable () -> Void)? {
        get { state.withLock { $0.onEvent } }
        set { state.withLock { $0.onEvent = newValue } }
    }

    private func record(_ summary: String) async throws {
        state.withLock { $0.received.append(summary) }
        onEvent?()
        let waiting = state.withLock { state in
            defer { state.firstEvent = nil }
            return state.firstEvent
        }
        await waiting?()
        try each?()
    }

    func snapshotTaken(_ snapshot: StoreSnapshot) async throws {
        await first?()
        state.withLock { $0.snapshots.append(snapshot) }
        try each?()
    }

    func downloadChanged(_ status: DownloadStatus) async throws {
        if status.state == .downloading, status.activity == .transferring { return }
        try await record(status.summary)
    }

    func packChanged(_ change: PackChange) async throws { try await record(change.summary) }

    func storeChanged(_ change: StoreChange) async throws { try await record("store \(change.store)") }

    func catalogueChanged(ofStore store: String) async throws { try await record("catalogue \(store)") }
}

/// An observer that is an actor.
private actor ActorObserver: StoreObserver {
    private(set) var snapshots = 0
    private(set) var received: [String] = []

    func snapshotTaken(_ snapshot: StoreSnapshot) { snapshots += 1 }

    func downloadChanged(_ status: DownloadStatus) {
        if status.state != .downloading || status.activity != .transferring { received.append(status.summary) }
    }

    func packChanged(_ change: PackChange) { received.append(change.summary) }

    func storeChanged(_ change: StoreChange) { received.append("store \(change.store)") }

    func catalogueChanged(ofStore store: String) { received.append("catalogue \(store)") }
}

/// An observer on the main actor, such as a window.
@MainActor private final class Window: StoreObserver {
    private(set) var snapshots = 0
    private(set) var received: [String] = []

    func snapshotTaken(_ snapshot: StoreSnapshot) { snapshots += 1 }

    func downloadChanged(_ status: DownloadStatus) {
        MainActor.assertIsolated()
        if status.state != .downloading || status.activity != .transferring { received.append(status.summary) }
    }

    func packChanged(_ change: PackChange) { received.append(change.summary) }

    func storeChanged(_ change: StoreChange) { received.append("store \(change.store)") }

    func catalogueChanged(ofStore store: String) { received.append("catalogue \(store)") }
}
