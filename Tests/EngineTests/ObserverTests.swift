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
            .init("a"), .init("b"), .init("tool", ["x.txt": "x"], type: "hat"), .init("bad", ["x.exe": "MZ"]))
    }

    /// Installs, fails and removes; returns when it is all over.
    private func work(_ manager: StoreManager) async throws {
        try await manager.installed("a")
        try await manager.installed("b")
        _ = try await manager.packs.uninstall("a")
        try await manager.installed("a")
    }

    /// All changes of state from one event on, as the log tells them to a reader.
    private func told(_ manager: StoreManager, after sequence: UInt64, _ scope: EventFilter = .all) async throws
        -> [String]
    {
        let events = try manager.events.subscribe(after: sequence, filter: scope)
        let end = manager.events.lastSequence
        var told: [String] = []
        var last = sequence
        // What follows the last that is in the scope can't be waited for.
        manager.events.publish(
            .pack(PackChange(productIdentifier: "b", kind: .sticker, change: .damaged, version: nil)))
        for try await event in events {
            if event.sequence > end { break }
            #expect(event.sequence > last)
            last = event.sequence
            if !event.event.isProgress { told.append(event.event.words) }
        }
        return told
    }

    /// Nobody tells of the moment in which a download is noted and has not begun, so it is tried often.
    @Test func `a download that is cancelled while it begins has one begin and one end`() async throws {
        let manager = try await home.open(using: store)
        let events = try manager.events.subscribe().makeAsyncIterator()
        var states: [OperationID: [DownloadState]] = [:]
        func hear(until isLast: (DownloadStatus) -> Bool) async throws {
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
            try await hear { $0.operation == operation && $0.state.isEnd }
            canceller.cancel()
            await canceller.value
            if states[operation]?.last == .finished { _ = try await manager.packs.uninstall("a") }
        }
        let standing = manager.events.downloadSnapshot.downloads
        #expect(Set(standing.map(\.operation)).count == standing.count)
        await manager.close()
        try await hear { _ in false }
        #expect(states.count == 40)
        for (operation, states) in states {
            #expect(states.first == .initializing && states.count(where: \.isEnd) == 1, "\(operation): \(states)")
        }
    }

    @Test func `each observer gets every state once, in order, and one end`() async throws {
        let manager = try await home.open(using: store)
        let recorders = (0..<3).map { _ in Recorder() }
        let window = Window()
        let hearer = Hearer()
        for recorder in recorders { manager.observers.add(recorder) }
        manager.observers.add(window)
        manager.observers.add(hearer)
        for recorder in recorders { try await eventually { recorder.snapshots.count == 1 } }
        try await eventually { await window.snapshots == 1 }
        try await eventually { await hearer.snapshots == 1 }
        let start = recorders[0].snapshots[0].sequence
        try await work(manager)
        let wanted = try await told(manager, after: start)
        #expect(wanted.count { $0.contains("Finished") } == 3 && wanted.count { $0.contains("removed") } == 1)
        for recorder in recorders {
            try await eventually { recorder.heard.count > wanted.count }
            #expect(Array(recorder.heard.prefix(wanted.count)) == wanted)
            #expect(recorder.snapshots.count == 1)
        }
        try await eventually { await window.heard.count > wanted.count }
        #expect(await Array(window.heard.prefix(wanted.count)) == wanted)
        try await eventually { await hearer.heard.count > wanted.count }
        #expect(await Array(hearer.heard.prefix(wanted.count)) == wanted)
        await manager.close()
    }

    @Test func `the sequence of packs has the present value and each change`() async throws {
        let manager = try await home.open(using: store)
        var packs = manager.observers.packs().makeAsyncIterator()
        var stickers = manager.observers.stickerPacks().makeAsyncIterator()
        #expect(try await packs.next() == [])
        #expect(try await stickers.next() == [])
        try await manager.installed("a")
        #expect(try await packs.next()?.map(\.productIdentifier) == ["a"])
        #expect(try await stickers.next()?.map(\.productIdentifier) == ["a"])
        // A slow reader gets the latest, and nothing of what was in between.
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
        var words: [String] = []
        while words.last?.hasPrefix("pack") != true, case .event(let event)? = try await observations.next() {
            #expect(event.sequence > snapshot.sequence)
            #expect(event.productIdentifier == "b")
            if !event.isProgress { words.append(event.words) }
        }
        #expect(words.count { $0.contains("Finished") } == 1)
        await manager.close()
        #expect(try await observations.next() == nil)
    }

    @Test func `a filter selects the events of one product or kind`() async throws {
        let manager = try await home.open(using: store)
        let (product, kind) = (Recorder(), Recorder())
        manager.observers.add(product, for: .product("b"))
        manager.observers.add(kind, for: .kind(ProductKind(rawValue: "hat")))
        try await eventually { product.snapshots.count == 1 && kind.snapshots.count == 1 }
        let start = product.snapshots[0].sequence
        try await work(manager)
        _ = try? await manager.installed("tool")
        let wanted = try await told(manager, after: start, .product("b"))
        try await eventually { product.heard.count > wanted.count }
        #expect(Array(product.heard.prefix(wanted.count)) == wanted && !wanted.isEmpty)
        #expect(product.heard.allSatisfy { $0.contains(" b ") })
        try await eventually { kind.heard.allSatisfy { $0.contains(" tool ") } }
        await manager.close()
    }

    @Test func `an observer that is slow, throws or is deallocated affects no other`() async throws {
        let manager = try await home.open(using: store)
        let (quick, slow, throwing) = (Recorder(), Recorder(), Recorder())
        let gate = Gate()
        slow.first = { await gate.wait() }
        throwing.each = { throw CancellationError() }
        var gone: Recorder? = Recorder()
        weak let weakly = gone
        for recorder in [quick, slow, throwing] { manager.observers.add(recorder) }
        manager.observers.add(gone!)
        try await eventually { quick.snapshots.count == 1 && weakly?.snapshots.count == 1 }
        let start = quick.snapshots[0].sequence
        gone = nil
        // It is held for no longer than it is told something.
        try await eventually { weakly == nil }
        try await work(manager)
        let wanted = try await told(manager, after: start)
        for recorder in [quick, throwing] {
            try await eventually { recorder.heard.count > wanted.count }
            #expect(Array(recorder.heard.prefix(wanted.count)) == wanted)
        }
        #expect(slow.heard.isEmpty && slow.snapshots.isEmpty)
        gate.open()
        try await eventually { slow.snapshots.count == 1 }
        #expect(slow.snapshots[0].sequence >= start)
        // The one that went is no longer among those that are told.
        try await eventually { manager.events.subscriptionCount == 3 }
        await manager.close()
    }

    @Test func `a removed observer is not called again`() async throws {
        let manager = try await home.open(using: store)
        let (one, other) = (Recorder(), Recorder())
        // It goes in the middle of the first thing that it hears.
        one.onEvent = { manager.observers.remove(one) }
        manager.observers.add(one)
        manager.observers.add(other)
        try await eventually { one.snapshots.count == 1 && other.snapshots.count == 1 }
        try await work(manager)
        let wanted = try await told(manager, after: other.snapshots[0].sequence)
        try await eventually { other.heard.count > wanted.count }
        #expect(one.heard.count == 1)
        // Removed twice, or never added: nothing happens. Added again, it begins with the state.
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
        try await eventually { recorder.heard.contains { $0.contains("Finished") } }
        #expect(isThere.withLock { $0 } == [true])
        await manager.close()
    }

    @Test func `an observer that falls too far behind gets another snapshot`() async throws {
        let counter = Mutex<UInt64>(1)
        let log = try await EventBus(subscriptionCapacity: 20) { count in
            counter.withLock { next in
                defer { next += UInt64(count) }
                return next..<next + UInt64(count)
            }
        }
        let observations = Observations(events: log, filter: .all) {
            let standing = log.downloadSnapshot
            return StoreSnapshot(sequence: standing.sequence, downloads: standing.downloads, packs: [])
        }
        let list = ObserverRegistry()
        let recorder = Recorder()
        let gate = Gate()
        recorder.firstEvent = { await gate.wait() }
        list.add(recorder, observing: observations, on: nil)
        try await eventually { recorder.snapshots.count == 1 }
        for place in 0..<100 { log.publish(.catalogue(store: "\(place)")) }
        gate.open()
        try await eventually { recorder.snapshots.count == 2 }
        #expect(recorder.snapshots[1].sequence == 100)
        log.publish(.catalogue(store: "after"))
        try await eventually { recorder.heard.last == "catalogue after" }
        #expect(recorder.heard == ["catalogue 0", "catalogue after"])
        list.remove(recorder)
        #expect(list.count == 0)
        await log.close()
    }
}

extension Event {
    /// What has to be the same for all who hear of it.
    fileprivate var words: String {
        switch happening {
        case .download(let status): status.words
        case .pack(let change): change.words
        case .catalogue(let store): "catalogue \(store)"
        case .updates(let updates): "updates \(updates.count)"
        case .skin(let use, _): "skin \(use.skin?.identifier ?? "")"
        case .unknown(let type): type
        }
    }
}

extension DownloadStatus {
    fileprivate var words: String {
        "download \(productIdentifier) \(operation) \(state.rawValue) \(activity?.rawValue ?? "")"
    }
}

extension PackChange {
    fileprivate var words: String { "pack \(productIdentifier) \(change.rawValue)" }
}

/// An observer without an actor.
private final class Recorder: StoreObserver {
    private struct State {
        var snapshots: [StoreSnapshot] = []
        var heard: [String] = []
        var first: (@Sendable () async -> Void)?
        var firstEvent: (@Sendable () async -> Void)?
        var each: (@Sendable () throws -> Void)?
        var onEvent: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    var snapshots: [StoreSnapshot] { state.withLock { $0.snapshots } }
    /// Progress aside.
    var heard: [String] { state.withLock { $0.heard } }
    /// Done before the first thing of all is taken.
    var first: (@Sendable () async -> Void)? {
        get { state.withLock { $0.first } }
        set { state.withLock { $0.first = newValue } }
    }
    /// Done after the first event was taken.
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

    private func take(_ words: String) async throws {
        state.withLock { $0.heard.append(words) }
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
        try await take(status.words)
    }

    func packChanged(_ change: PackChange) async throws { try await take(change.words) }

    func catalogueChanged(ofStore store: String) async throws { try await take("catalogue \(store)") }
}

/// An observer that is an actor, and hears all the same.
private actor Hearer: StoreObserver {
    private(set) var snapshots = 0
    private(set) var heard: [String] = []

    func snapshotTaken(_ snapshot: StoreSnapshot) { snapshots += 1 }

    func downloadChanged(_ status: DownloadStatus) {
        if status.state != .downloading || status.activity != .transferring { heard.append(status.words) }
    }

    func packChanged(_ change: PackChange) { heard.append(change.words) }

    func catalogueChanged(ofStore store: String) { heard.append("catalogue \(store)") }
}

/// An observer of the main actor, as a window is.
@MainActor private final class Window: StoreObserver {
    private(set) var snapshots = 0
    private(set) var heard: [String] = []

    func snapshotTaken(_ snapshot: StoreSnapshot) { snapshots += 1 }

    func downloadChanged(_ status: DownloadStatus) {
        MainActor.assertIsolated()
        if status.state != .downloading || status.activity != .transferring { heard.append(status.words) }
    }

    func packChanged(_ change: PackChange) { heard.append(change.words) }

    func catalogueChanged(ofStore store: String) { heard.append("catalogue \(store)") }
}

private final class Gate: Sendable {
    private let stream = AsyncStream<Void>.makeStream()

    func wait() async { for await _ in stream.stream { return } }
    func open() { stream.continuation.finish() }
}
