import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreEvents

/// Random histories: downloads that begin, come along and end, packs that come and go, ends of the process in order and
/// not, and readers that come, go, stall and come back.
///
/// In the end each reader knows what is true, and has heard every state once, in order, and one end of each download.
@Suite struct SubscriberModelTests {
    static let histories = 10_000
    private static let workers = 4

    @Test(.hangGuard, arguments: 0..<workers)
    func `each reader's picture is the truth in the end`(worker: Int) async throws {
        let folder = try MemoryFolder()
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

/// A folder in memory, where there is one, because thousands of logs are closed with a sync.
private final class MemoryFolder: Sendable {
    let directory: Directory
    private let parent: Directory
    private let name = "storectl-test-" + UUID().uuidString

    init() throws {
        let memory = "/dev/shm"
        let isThere = FileManager.default.isWritableFile(atPath: memory)
        parent = try Directory.open(isThere ? memory : FileManager.default.temporaryDirectory.path)
        directory = try parent.createDirectory(name)
    }

    deinit { try? parent.removeTree(name) }
}

private struct Contradiction: Error, CustomStringConvertible { let description: String }

/// What a reader makes of what it hears.
private struct Picture: Equatable {
    var running: [OperationID: DownloadStatus] = [:]
    var packs: [String: String] = [:]

    /// Takes an event, which has to fit what is known.
    mutating func take(_ event: Event, ended: inout Set<OperationID>) throws {
        switch event.happening {
        case .download(let status):
            guard !ended.contains(status.operation) else {
                throw Contradiction(description: "\(status.operation) is told of after its end: \(event)")
            }
            if let known = running[status.operation], !known.isFollowed(by: status) {
                throw Contradiction(description: "\(status) after \(known)")
            }
            running[status.operation] = status.state.isEnd ? nil : status
            if status.state.isEnd { ended.insert(status.operation) }
        case .pack(let change):
            packs[change.productIdentifier] = change.change == .removed ? nil : change.version?.text ?? ""
        case .catalogue, .updates, .skin, .unknown: break
        }
    }
}

extension DownloadStatus {
    fileprivate func isFollowed(by next: DownloadStatus) -> Bool {
        let order: [DownloadState] = [.initializing, .downloading, .downloaded]
        // After a restart it begins anew.
        if attempt < next.attempt { return true }
        guard let own = order.firstIndex(of: state) else { return false }
        guard let other = order.firstIndex(of: next.state) else { return true }
        return own < other || (own == other && bytesReceived < next.bytesReceived)
    }
}

/// One front-end.
private struct Reader {
    let scope: EventFilter
    var picture = Picture()
    var position: UInt64?
    var events: EventSubscription.Iterator?
    var ended: Set<OperationID> = []

    init(_ scope: EventFilter) { self.scope = scope }

    mutating func leave() { events = nil }

    /// Comes, or comes back with the last event seen; with a snapshot where that is gone.
    mutating func come(to log: EventBus, packs: [String: String]) throws {
        if events != nil { return }
        if let position {
            do {
                events = try log.subscribe(after: position, filter: scope).makeAsyncIterator()
                return
            } catch {
                guard error.code == .eventsGone else { throw error }
            }
        }
        let standing = log.downloadSnapshot
        picture = Picture(
            running: Dictionary(
                uniqueKeysWithValues: standing.downloads.filter { !$0.state.isEnd }.map { ($0.operation, $0) }),
            packs: packs)
        ended.formUnion(standing.downloads.filter(\.state.isEnd).map(\.operation))
        position = standing.sequence
        events = try log.subscribe(after: standing.sequence, filter: scope).makeAsyncIterator()
    }

    /// Reads on until the event with a number was read.
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
            try picture.take(event.event, ended: &ended)
        }
    }
}

/// A manager without a network, the log, and its readers.
private struct ModelWorld {
    private let folder: Directory
    private let counter = EventCounter()
    private var random: SeededGenerator
    private var log: EventBus
    private var readers: [Reader]
    private var truth = Picture()
    /// The last event that each reader is to hear of.
    private var newest: [UInt64]
    private var boot = 1
    private var begun = 0
    private let products = ["a", "b", "c"]
    private static let subscriptionCapacity = 24

    init(_ folder: Directory, seed: UInt64) async throws {
        self.folder = folder
        random = SeededGenerator(seed: seed)
        readers = [Reader(.all), Reader(.all), Reader(.product("a")), Reader(.kind(.skin))]
        newest = readers.map { _ in 0 }
        log = try await Self.open(folder, counter, boot: boot)
    }

    private static func open(_ folder: Directory, _ counter: EventCounter, boot: Int) async throws -> EventBus {
        let boot = String(repeating: "\(boot % 10)", count: 36)
        // Small, so that files are changed, buffers run over, and memory is let go.
        return try await EventBus(
            journal: EventJournal(in: folder, boot: boot, fileSizeLimit: 3000), capacity: 16,
            subscriptionCapacity: subscriptionCapacity
        ) { counter.take($0) }
    }

    mutating func run() async throws {
        for _ in 0..<Int.random(in: 5...25, using: &random) { try await step() }
        for place in readers.indices { try readers[place].come(to: log, packs: truth.packs) }
        for place in readers.indices { try await catchUp(place) }
        for reader in readers { try check(reader) }
        await log.close()
    }

    private mutating func step() async throws {
        let place = readers.indices.randomElement(using: &random)!
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7: work()
        case 7..<9: for _ in 0..<Int.random(in: 1...30, using: &random) { work() }
        case 9..<12: try readers[place].come(to: log, packs: truth.packs)
        case 12..<13: readers[place].leave()
        case 13..<17: try await catchUp(place)
        case 17: try await restart(inOrder: true, samePower: Bool.random(using: &random))
        case 18: try await restart(inOrder: false, samePower: true)
        default: if Int.random(in: 0..<3, using: &random) == 0 { try await restart(inOrder: false, samePower: false) }
        }
    }

    /// Reads all there is, or only some of it, which leaves the rest for later.
    private mutating func catchUp(_ place: Int) async throws {
        for _ in 0..<3 {
            do {
                let wanted = newest[place]
                return try await readers[place].read(through: wanted)
            } catch let error as StoreError where error.code == .eventsGone {
                // It was so slow that there was no more room for what it has to hear.
                readers[place].leave()
                readers[place].position = nil
                try readers[place].come(to: log, packs: truth.packs)
            }
        }
    }

    private func check(_ reader: Reader) throws {
        let wanted = Picture(
            running: truth.running.filter { reader.scope.matches(Event($0.value)) },
            packs: truth.packs.filter { reader.scope.matches(Self.pack($0.key, .installed, $0.value)) })
        // A snapshot holds everything; of what is not in its scope a reader hears nothing more.
        let known = Picture(
            running: reader.picture.running.filter { reader.scope.matches(Event($0.value)) },
            packs: reader.picture.packs.filter { reader.scope.matches(Self.pack($0.key, .installed, $0.value)) })
        guard known == wanted else {
            throw Contradiction(description: "a reader of \(reader.scope) knows \(known), and true is \(wanted)")
        }
    }

    // MARK: The manager

    private static func kind(of product: String) -> ProductKind { product == "b" ? .skin : .sticker }

    private static func pack(_ product: String, _ change: PackChange.Change, _ version: String) -> Event {
        Event(
            sequence: 0, time: Date(),
            happening: .pack(
                PackChange(
                    productIdentifier: product, kind: kind(of: product), change: change, version: Version(version))))
    }

    private mutating func publish(_ event: Event) {
        log.publish(event.happening)
        for place in readers.indices where readers[place].scope.matches(event) { newest[place] = log.lastSequence }
    }

    private mutating func work() {
        let product = products.randomElement(using: &random)!
        guard var status = truth.running.values.first(where: { $0.productIdentifier == product }) else {
            if truth.packs[product] != nil, Bool.random(using: &random) {
                truth.packs[product] = nil
                return publish(Self.pack(product, .removed, "1"))
            }
            begun += 1
            let status = DownloadStatus(
                operation: OperationID(rawValue: "op-\(begun)"), action: .install, productIdentifier: product,
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
            truth.packs[product] = "\(begun)"
            publish(Self.pack(product, .installed, "\(begun)"))
        }
    }

    /// The end of the process, and the next one.
    ///
    /// What was killed may have done more than it told; the next one tells it, as the engine does.
    private mutating func restart(inOrder: Bool, samePower: Bool) async throws {
        var untold: OperationID?
        if inOrder {
            await log.close()
        } else {
            await log.flush()
            untold = truth.running.keys.randomElement(using: &random)
        }
        if let untold { truth.running[untold] = nil }
        for place in readers.indices { readers[place].leave() }
        if !samePower { boot += 1 }
        log = try await Self.open(folder, counter, boot: boot)
        if let untold, let told = await log.stateBeforeCrash(), !told.hasEnded(untold) {
            var status =
                told.status(of: untold)
                ?? DownloadStatus(operation: untold, action: .install, productIdentifier: "b", kind: .skin, store: "s")
            status.end(as: .cancelled, error: nil)
            publish(Event(status))
        }
        // What runs is begun anew.
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
