import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreEvents

/// Random histories of downloads, packs, restarts, crashes and subscribers.
///
/// In the end each subscriber knows the true state, and has received every state once, in order, and one end of each
/// download. Subscribers come, go, stall and reconnect.
@Suite struct SubscriberModelTests {
    /// The number of histories; can be set for long runs.
    private static let histories =
        ProcessInfo.processInfo.environment["STORECTL_TEST_HISTORIES"].flatMap { Int($0) } ?? 2_000
    private static let workers = 4

    @Test(.hangGuard, arguments: 0..<workers)
    func `every subscriber's state equals the truth in the end`(worker: Int) async throws {
        let folder = try TemporaryFolder(inMemory: true)
        for seed in stride(from: worker, to: Self.histories, by: Self.workers) {
            for name in EventJournal.fileNames { try? folder.directory.remove(name) }
            do {
                var world = try await ModelWorld(folder.directory, seed: UInt64(seed))
                try await world.run()
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
        }
    }
}

private struct Contradiction: Error, CustomStringConvertible { let description: String }

/// The state that a subscriber derives from events.
private struct ClientState: Equatable {
    var running: [OperationID: DownloadStatus] = [:]
    var packs: [String: String] = [:]

    /// Applies an event, which must not contradict the state.
    mutating func apply(_ event: Event, ended: inout Set<OperationID>) throws {
        switch event.happening {
        case .download(let status):
            guard !ended.contains(status.operation) else {
                throw Contradiction(description: "\(status.operation) has an event after its end: \(event)")
            }
            if let known = running[status.operation], !known.isFollowed(by: status) {
                throw Contradiction(description: "\(status) after \(known)")
            }
            running[status.operation] = status.state.isEnd ? nil : status
            if status.state.isEnd { ended.insert(status.operation) }
        case .pack(let change):
            packs[change.productIdentifier] = change.change == .removed ? nil : change.version?.text ?? ""
        case .store, .trust, .purchase, .setting, .catalogue, .updates, .skin, .stickers, .unknown: break
        }
    }
}

extension DownloadStatus {
    fileprivate func isFollowed(by next: DownloadStatus) -> Bool {
        let order: [DownloadState] = [.initializing, .downloading, .downloaded]
        // After a restart a download starts over.
        if attempt < next.attempt { return true }
        guard let own = order.firstIndex(of: state) else { return false }
        guard let other = order.firstIndex(of: next.state) else { return true }
        return own < other || (own == other && bytesReceived < next.bytesReceived)
    }
}

/// A simulated front-end.
private struct Subscriber {
    let filter: EventFilter
    var state = ClientState()
    var position: UInt64?
    var events: EventSubscription.Iterator?
    var ended: Set<OperationID> = []

    init(_ filter: EventFilter) { self.filter = filter }

    mutating func disconnect() { events = nil }

    /// Subscribes, with the last event seen as cursor, or with a snapshot if that event is gone.
    mutating func connect(to bus: EventBus, packs: [String: String]) throws {
        if events != nil { return }
        if let position {
            do {
                events = try bus.subscribe(after: position, filter: filter).makeAsyncIterator()
                return
            } catch {
                guard error.code == .eventsGone else { throw error }
            }
        }
        let snapshot = bus.downloadSnapshot
        state = ClientState(
            running: Dictionary(
                uniqueKeysWithValues: snapshot.downloads.filter { !$0.state.isEnd }.map { ($0.operation, $0) }),
            packs: packs)
        ended.formUnion(snapshot.downloads.filter(\.state.isEnd).map(\.operation))
        position = snapshot.sequence
        events = try bus.subscribe(after: snapshot.sequence, filter: filter).makeAsyncIterator()
    }

    /// Reads until the event with a number was read.
    mutating func read(through last: UInt64) async throws {
        while let position, position < last, let events {
            guard let event = try await events.next() else {
                self.events = nil
                return
            }
            guard event.sequence > position, event.event.sequence == event.sequence else {
                throw Contradiction(description: "event \(event.sequence) after \(position)")
            }
            self.position = event.sequence
            try state.apply(event.event, ended: &ended)
        }
    }
}

/// A simulated manager without a network, with its event bus and subscribers.
private struct ModelWorld {
    private let folder: Directory
    private let counter = EventCounter()
    private var random: SeededGenerator
    private var bus: EventBus
    private var subscribers: [Subscriber]
    private var truth = ClientState()
    /// The last event for each subscriber.
    private var newest: [UInt64]
    private var boot = 1
    private var startedCount = 0
    private let products = ["a", "b", "c"]
    private static let subscriptionCapacity = 24

    init(_ folder: Directory, seed: UInt64) async throws {
        self.folder = folder
        random = SeededGenerator(seed: seed)
        subscribers = [Subscriber(.all), Subscriber(.all), Subscriber(.product("a")), Subscriber(.kind(.skin))]
        newest = subscribers.map { _ in 0 }
        bus = try await Self.open(folder, counter, boot: boot)
    }

    private static func open(_ folder: Directory, _ counter: EventCounter, boot: Int) async throws -> EventBus {
        let boot = String(repeating: "\(boot % 10)", count: 36)
        // Small limits, so that journal files rotate, buffers overflow and events are evicted.
        return try await EventBus(
            journal: EventJournal(in: folder, boot: boot, fileSizeLimit: 3000), capacity: 16,
            subscriptionCapacity: subscriptionCapacity
        ) { counter.allocate($0) }
    }

    mutating func run() async throws {
        for _ in 0..<Int.random(in: 5...25, using: &random) { try await step() }
        for place in subscribers.indices { try subscribers[place].connect(to: bus, packs: truth.packs) }
        for place in subscribers.indices { try await catchUp(place) }
        for subscriber in subscribers { try check(subscriber) }
        await bus.close()
    }

    private mutating func step() async throws {
        let place = subscribers.indices.randomElement(using: &random)!
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7: work()
        case 7..<9: for _ in 0..<Int.random(in: 1...30, using: &random) { work() }
        case 9..<12: try subscribers[place].connect(to: bus, packs: truth.packs)
        case 12..<13: subscribers[place].disconnect()
        case 13..<17: try await catchUp(place)
        case 17: try await restart(regularly: true, samePower: Bool.random(using: &random))
        case 18: try await restart(regularly: false, samePower: true)
        default: if Int.random(in: 0..<3, using: &random) == 0 { try await restart(regularly: false, samePower: false) }
        }
    }

    /// Reads all available events of a subscriber.
    private mutating func catchUp(_ place: Int) async throws {
        for _ in 0..<3 {
            do {
                let wanted = newest[place]
                return try await subscribers[place].read(through: wanted)
            } catch let error as StoreError where error.code == .eventsGone {
                // The subscriber was so slow that its buffer overflowed.
                subscribers[place].disconnect()
                subscribers[place].position = nil
                try subscribers[place].connect(to: bus, packs: truth.packs)
            }
        }
    }

    private func check(_ subscriber: Subscriber) throws {
        let wanted = ClientState(
            running: truth.running.filter { subscriber.filter.matches(Event($0.value)) },
            packs: truth.packs.filter { subscriber.filter.matches(Self.pack($0.key, .installed, $0.value)) })
        // A snapshot contains everything; a subscriber receives no further events that its filter excludes.
        let known = ClientState(
            running: subscriber.state.running.filter { subscriber.filter.matches(Event($0.value)) },
            packs: subscriber.state.packs.filter { subscriber.filter.matches(Self.pack($0.key, .installed, $0.value)) })
        guard known == wanted else {
            throw Contradiction(
                description: "a subscriber to \(subscriber.filter) has \(known), but the truth is \(wanted)")
        }
    }

    // MARK: The simulated manager

    private static func kind(of product: String) -> ProductKind { product == "b" ? .skin : .sticker }

    private static func pack(_ product: String, _ change: PackChange.Change, _ version: String) -> Event {
        Event(
            sequence: 0, time: Date(),
            happening: .pack(
                PackChange(
                    productIdentifier: product, kind: kind(of: product), change: change, version: Version(version))))
    }

    private mutating func publish(_ event: Event) {
        bus.publish(event.happening)
        for place in subscribers.indices where subscribers[place].filter.matches(event) {
            newest[place] = bus.lastSequence
        }
    }

    private mutating func work() {
        let product = products.randomElement(using: &random)!
        guard var status = truth.running.values.first(where: { $0.productIdentifier == product }) else {
            if truth.packs[product] != nil, Bool.random(using: &random) {
                truth.packs[product] = nil
                return publish(Self.pack(product, .removed, "1"))
            }
            startedCount += 1
            let status = DownloadStatus(
                operation: OperationID(rawValue: "op-\(startedCount)"), action: .install, productIdentifier: product,
                kind: Self.kind(of: product), store: "s", bytesExpected: 1000)
            truth.running[status.operation] = status
            return publish(Event(status))
        }
        switch (status.state, Int.random(in: 0..<8, using: &random)) {
        case (_, 0): (status.state, status.activity) = (.cancelled, nil)
        case (_, 1): (status.state, status.activity, status.error) = (.failed, nil, ErrorReport(CancellationError()))
        case (.downloading, 2): (status.state, status.activity) = (.downloaded, .unpacking)
        case (.downloading, _): status.setProgress(received: status.bytesReceived + 1, expected: 1000)
        case (.initializing, _): (status.state, status.activity) = (.downloading, .transferring)
        default: (status.state, status.activity) = (.finished, nil)
        }
        truth.running[status.operation] = status.state.isEnd ? nil : status
        publish(Event(status))
        if status.state == .finished {
            truth.packs[product] = "\(startedCount)"
            publish(Self.pack(product, .installed, "\(startedCount)"))
        }
    }

    /// Ends the process and starts the next one.
    ///
    /// A killed process may have done more than it published; the next one publishes it, as the engine does.
    private mutating func restart(regularly: Bool, samePower: Bool) async throws {
        var unpublished: DownloadStatus?
        if regularly {
            await bus.close()
        } else {
            await bus.flush()
            unpublished = truth.running.values.sorted { $0.operation.rawValue < $1.operation.rawValue }
                .randomElement(using: &random)
        }
        if let unpublished { truth.running[unpublished.operation] = nil }
        for place in subscribers.indices { subscribers[place].disconnect() }
        if !samePower { boot += 1 }
        bus = try await Self.open(folder, counter, boot: boot)
        if let unpublished, let state = await bus.stateBeforeCrash(), !state.hasEnded(unpublished.operation) {
            // Where the journal no longer has the download, the database knows its product.
            var status =
                state.status(of: unpublished.operation)
                ?? DownloadStatus(
                    operation: unpublished.operation, action: .install,
                    productIdentifier: unpublished.productIdentifier, kind: unpublished.kind, store: "s")
            status.end(as: .cancelled, error: nil)
            publish(Event(status))
        }
        // Running downloads start over.
        for (operation, status) in truth.running.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            var status = status
            (status.state, status.activity, status.attempt) = (.initializing, .queued, status.attempt + 1)
            status.setProgress(received: 0, expected: 1000)
            truth.running[operation] = status
            publish(Event(status))
        }
    }
}

extension Event {
    fileprivate init(_ status: DownloadStatus) {
        self.init(sequence: 0, time: Date(), happening: .download(status))
    }
}
