import Dispatch
import FoundationEssentials
public import Logging
public import StoreModel
public import StoreSystem
import Synchronization

/// A bus that publishes events to subscribers, and retains the most recent ones in memory and in a journal on disk.
///
/// Publishing assigns a number to the event and returns: it waits neither for the disk nor for a reader. A dispatch
/// queue of the bus delivers the events published meanwhile: it writes them to the journal in one step, and then
/// appends them to the bounded buffer of each subscription. So every state change that a subscriber has received was
/// written to the journal first, while the journal is writable; progress events are not journaled. An event is encoded
/// once for all readers.
///
/// ```swift
/// let events = try await EventBus { count in try await database.reserveSequence(count) }
/// let subscription = try events.subscribe(filter: .product("org.example.cups"))
/// events.publish(.catalogue(store: "example"))
/// for try await event in subscription { print(event.sequence) }
/// ```
public final class EventBus: Sendable {
    /// A function that reserves a range of event numbers on disk and returns it; no number is ever returned twice.
    public typealias SequenceReservation = @Sendable (_ count: Int) async throws -> Range<UInt64>

    /// The maximum number of ended downloads that the event bus lists; the database has all of them.
    public static let endedDownloadsCapacity = 1000

    /// The time between attempts to reserve event numbers while that fails.
    private static let reservationRetryDelay = Duration.seconds(1)

    struct State {
        var sequence: EventSequence
        /// The events published while no number was available; they get numbers of the block that is being reserved.
        var unnumbered: UnnumberedEvents
        /// The events that have a number and are not delivered to the journal and to subscriptions yet.
        var undelivered: [EncodedEvent] = []
        /// The number before which events were dropped, so that subscribers with an older cursor have missed some; `nil`
        /// once that is delivered.
        var gap: UInt64?
        var isDelivering = false
        var replay: ReplayBuffer
        var downloads = RecentDownloads(endedCapacity: EventBus.endedDownloadsCapacity)
        var published = PublishedState()
        var subscriptions: [ObjectIdentifier: EventSubscription] = [:]
        var isClosed = false
    }

    /// The events of the daemon's previous process, which are read from the journal when a subscriber needs them.
    enum PreviousEvents {
        case unread(EventJournalReader)
        case read(EventJournalReader.Content?)
    }

    let state: Mutex<State>
    let journal: Mutex<EventJournal?>
    let previousEvents: Mutex<PreviousEvents>
    let queue = DispatchQueue(label: "events.delivery")
    let log: Logger?
    let subscriptionCapacity: Int
    /// The event number before the first number that this process can assign.
    let startSequence: UInt64
    private let reserve: SequenceReservation
    private let clock: TimeSource

    /// Creates an event bus, and opens the event journal in a directory.
    ///
    /// - Parameters:
    ///   - directory: The directory of the journal; `nil` retains events in memory only.
    ///   - capacity: The maximum number of state changes retained in memory.
    ///   - subscriptionCapacity: The number of events that one subscription can hold unread. When there are more, and
    ///     more than half of this number are state changes, the subscription drops all and its reader gets
    ///     `events.gone`.
    ///   - log: Where failures to write the journal are logged.
    ///   - clock: The source of the events' times.
    ///   - reserve: The function that reserves event numbers.
    /// - Throws: What `reserve` throws. A failure of the disk is reported by ``warning`` and does not throw.
    public convenience init(
        directory: Directory? = nil, capacity: Int = 10_000, subscriptionCapacity: Int = 40_000, log: Logger? = nil,
        clock: TimeSource = .system, reserve: @escaping SequenceReservation
    ) async throws {
        try await self.init(
            journal: directory.map { EventJournal(in: $0) }, capacity: capacity,
            subscriptionCapacity: subscriptionCapacity, log: log, clock: clock, reserve: reserve)
    }

    init(
        journal: EventJournal?, capacity: Int = 10_000, subscriptionCapacity: Int = 40_000, log: Logger? = nil,
        clock: TimeSource = .system, blockSize: Int = 1 << 16, reserve: @escaping SequenceReservation
    ) async throws {
        self.subscriptionCapacity = subscriptionCapacity
        self.reserve = reserve
        self.clock = clock
        self.log = log
        let block = try await reserve(blockSize)
        startSequence = block.lowerBound - 1
        state = Mutex(
            State(
                sequence: EventSequence(firstBlock: block, blockSize: blockSize),
                unnumbered: UnnumberedEvents(capacity: capacity, endedCapacity: Self.endedDownloadsCapacity),
                replay: ReplayBuffer(capacity: capacity, retentionFloor: startSequence)))
        var journal = journal
        journal?.setFirstSequence(block.lowerBound)
        if let failure = journal?.failure { Self.logWarning(failure, to: log) }
        previousEvents = Mutex(journal.map { .unread($0.reader) } ?? .read(nil))
        self.journal = Mutex(journal)
    }

    /// The cursor of a subscriber that has received all events which have a number.
    ///
    /// It need not be the number of an event: numbers are skipped whenever a block of numbers was reserved.
    public var lastSequence: UInt64 { state.withLock { $0.sequence.last } }

    /// The number of current subscriptions to events.
    public var subscriptionCount: Int { state.withLock { $0.subscriptions.count } }

    // MARK: Publishing

    /// Publishes an event to all subscriptions, without waiting for any of them.
    public func publish(_ happening: Event.Happening) {
        let time = clock.date()
        let (mustDeliver, mustReserve) = state.withLock { state in
            // While earlier events have no number yet, this event must not get one, so that numbers are in the order of
            // publication.
            if state.unnumbered.isEmpty, let sequence = state.sequence.allocate() {
                state.append(Event(sequence: sequence, time: time, happening: happening))
            } else {
                state.unnumbered.append(happening, at: time)
            }
            let mustReserve = state.sequence.beginReservation()
            return (state.beginDelivery(), mustReserve)
        }
        if mustDeliver { queue.async { self.deliver() } }
        // Publishing does not wait for the reservation: events published meanwhile get numbers of the other half of the
        // block.
        if mustReserve { Task { await reserveBlocks() } }
    }

    /// Reserves blocks of numbers until no event waits for one.
    private func reserveBlocks() async {
        var mustReserve = true
        while mustReserve {
            let block = await reserveBlock()
            let due = state.withLock { state in
                state.sequence.endReservation(block)
                state.numberPending()
                let isIncomplete = block != nil && !state.unnumbered.isEmpty
                return (delivery: state.beginDelivery(), block: isIncomplete && state.sequence.beginReservation())
            }
            if due.delivery { queue.async { self.deliver() } }
            mustReserve = due.block
        }
    }

    /// Reserves the next block of numbers; where that fails, such as on a full disk, tries again until the bus is closed.
    ///
    /// - Returns: The block, or `nil` where the bus was closed first.
    private func reserveBlock() async -> Range<UInt64>? {
        while true {
            do {
                return try await reserve(state.withLock { $0.sequence.blockSize })
            } catch {
                if state.withLock({ $0.isClosed }) { return nil }
                guard (try? await clock.sleep(Self.reservationRetryDelay, "event numbers")) != nil else { return nil }
            }
        }
    }

    // MARK: The state

    /// Sets the state (all but downloads) that was current when this process started.
    ///
    /// Called once, before the first event that changes the state is published.
    public func begin(with state: PublishedState) { self.state.withLock { $0.published = state } }

    /// The state as the events up to a number describe it, with that number.
    ///
    /// The downloads are those of ``downloadSnapshot``. A subscriber that continues after `sequence` misses nothing and
    /// receives nothing twice.
    public var stateSnapshot: (sequence: UInt64, downloads: [DownloadStatus], state: PublishedState) {
        let (sequence, downloads, published) = state.withLock { ($0.sequence.last, $0.downloads, $0.published) }
        return (sequence, downloads.running + downloads.ended, published)
    }

    // MARK: Downloads

    /// The statuses of running and recently ended downloads, with the number of the last event they include.
    ///
    /// Running downloads come first, in the order in which they began, then the last ``endedDownloadsCapacity`` that
    /// ended since the bus was created, in the order of their ends. A subscriber that continues after `sequence` misses
    /// nothing and receives nothing twice.
    public var downloadSnapshot: (sequence: UInt64, downloads: [DownloadStatus]) {
        let (sequence, downloads) = state.withLock { ($0.sequence.last, $0.downloads) }
        return (sequence, downloads.running + downloads.ended)
    }

    /// The downloads that ended last since the bus was created, in the order of their ends.
    ///
    /// At most ``endedDownloadsCapacity`` downloads are listed.
    public var endedDownloads: [DownloadStatus] {
        state.withLock { state in
            let unnumbered = state.unnumbered.elements.compactMap { $0.happening.endedDownload }
            return Array((state.downloads.ended + unnumbered).suffix(Self.endedDownloadsCapacity))
        }
    }

    /// Returns the final status of the product's download that ended last; `nil` if the bus no longer lists it.
    public func lastEndedDownload(of productIdentifier: String) -> DownloadStatus? {
        state.withLock { state in
            state.unnumbered.elements.lazy.compactMap { $0.happening.endedDownload }
                .last { $0.productIdentifier == productIdentifier }
                ?? state.downloads.ended.last { $0.productIdentifier == productIdentifier }
        }
    }
}

extension EventBus.State {
    /// Appends a numbered event to the events that wait for delivery to the journal and to subscriptions.
    fileprivate mutating func append(_ event: Event) {
        var previous: EncodedEvent?
        if case .download(let status) = event.happening { previous = downloads.newestEvent(of: status.operation) }
        let encoded = EncodedEvent(event, after: previous)
        undelivered.append(encoded)
        downloads.apply(encoded)
        published.apply(event.happening)
    }

    /// Assigns numbers to the events that were published while none was available, as far as there are numbers now.
    fileprivate mutating func numberPending() {
        if unnumbered.hasGap {
            // The gap has a number of its own, which no subscriber has as its cursor.
            guard let sequence = sequence.allocate() else { return }
            gap = sequence
            unnumbered.closeGap()
        }
        var count = 0
        for element in unnumbered.elements {
            guard let sequence = sequence.allocate() else { break }
            append(Event(sequence: sequence, time: element.time, happening: element.happening))
            count += 1
        }
        unnumbered.removeFirst(count)
    }

    /// Returns whether the caller must start the delivery of events, and if so, marks it as running.
    fileprivate mutating func beginDelivery() -> Bool {
        guard !undelivered.isEmpty || gap != nil, !isDelivering else { return false }
        isDelivering = true
        return true
    }
}
