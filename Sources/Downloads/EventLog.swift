import Dispatch
import FoundationEssentials
public import Logging
public import StoreModel
public import StoreSystem
import Synchronization

/// Tells observers what happens, and keeps the last events for those who come back, on the disk too.
///
/// To publish is to number an event and to go on: a thread of the log's own writes what was published meanwhile in one
/// step and then puts it into each observer's own bounded buffer, so that whoever works waits for neither disk nor
/// reader. What an observer was told is on the disk. An event is encoded once.
public final class EventLog: Sendable {
    /// Where event numbers come from: each block is reserved on the disk before one of it is given, so that none is
    /// given twice, not even after a SIGKILL.
    public typealias Reserve = @Sendable (_ count: Int) async throws -> Range<UInt64>

    /// How many downloads that ended are still told of with those that run. The operations on the disk have all of them:
    /// what is told of in every list must not grow with the time that the process runs.
    public static let endsKept = 1_000

    private struct State {
        var next: UInt64
        var end: UInt64
        var isReserving = false
        /// What happened while no number was left, which a block that is on its way will number.
        var unnumbered: [(time: Date, happening: Event.Happening)] = []
        /// Numbered, and not told yet.
        var pending: [EncodedEvent] = []
        var isDelivering = false
        /// The last events, oldest first, progress aside: of that the newest of each download is enough.
        var kept: [EncodedEvent] = []
        /// The greatest number that is not in memory; whoever saw it has missed nothing of what is.
        var goneThrough: UInt64
        var observers: [ObjectIdentifier: EventSubscription] = [:]
        var isClosed = false
        /// The newest event of each download that runs.
        var running: [OperationID: EncodedEvent] = [:]
        /// Of those, what was told last where it is progress.
        var progress: [OperationID: EncodedEvent] = [:]
        /// In the order of their ends.
        var ended: [DownloadStatus] = []
    }

    private let state: Mutex<State>
    private let history: Mutex<EventJournal?>
    private let earlier: Mutex<Earlier>
    private let queue = DispatchQueue(label: "downloads.events")
    private let reserve: Reserve
    private let clock: TimeSource
    private let log: Logger?
    private let capacity: Int
    private let readerCapacity: Int
    /// Of so many of the newest events the JSON is kept, too.
    private let encodedKept = 1000
    private let blockSize = 1 << 16
    /// The number before the first that was given since the log was opened.
    private let start: UInt64

    private enum Earlier {
        case unread(EarlierEvents)
        case read(EarlierEvents.Content?)
    }

    /// - Parameters:
    ///   - folder: where the last events lie over restarts; `nil` keeps them in memory only.
    ///   - capacity: how many events are kept in memory.
    ///   - readerCapacity: how many events wait for one reader; at least half of them may be changes of state.
    ///   - log: is told where events can't be kept on the disk.
    ///   - clock: what tells when something happened.
    /// - Throws: what `reserve` throws. A disk that does not take events is no reason.
    public convenience init(
        folder: Directory? = nil, capacity: Int = 10_000, readerCapacity: Int = 40_000, log: Logger? = nil,
        clock: TimeSource = .system, reserve: @escaping Reserve
    ) async throws {
        try await self.init(
            history: folder.map { EventJournal(in: $0) }, capacity: capacity, readerCapacity: readerCapacity, log: log,
            clock: clock, reserve: reserve)
    }

    init(
        history: EventJournal?, capacity: Int = 10_000, readerCapacity: Int = 40_000, log: Logger? = nil,
        clock: TimeSource = .system, reserve: @escaping Reserve
    ) async throws {
        self.capacity = capacity
        self.readerCapacity = readerCapacity
        self.reserve = reserve
        self.clock = clock
        self.log = log
        let block = try await reserve(blockSize)
        start = block.lowerBound - 1
        state = Mutex(State(next: block.lowerBound, end: block.upperBound, goneThrough: start))
        var history = history
        history?.begin(with: block.lowerBound)
        if let failure = history?.failure { Self.warn(failure, log) }
        earlier = Mutex(history.map { Earlier.unread($0.earlier) } ?? Earlier.read(nil))
        self.history = Mutex(history)
    }

    /// The number of the newest event; before the first one, the number before it.
    public var last: UInt64 { state.withLock { $0.next - 1 } }

    public var observerCount: Int { state.withLock { $0.observers.count } }

    /// What is to be said where events can't be kept on the disk at the moment, in words for people.
    public var warning: String? { history.withLock { $0?.failure }.map(Self.words(for:)) }

    /// The downloads that run, in the order begun, and the last ``endsKept`` that ended since the log was opened, the last
    /// ended last: as all events up to `sequence` tell them, and none after it.
    public var standing: (sequence: UInt64, downloads: [DownloadStatus]) {
        let (sequence, events, ended) = state.withLock {
            ($0.next - 1, Array($0.running.values), $0.ended.suffix(Self.endsKept))
        }
        let running = events.compactMap { event in
            if case .download(let status) = event.event.happening { status } else { nil }
        }
        return (sequence, running.sorted { $0.operation.rawValue < $1.operation.rawValue } + ended)
    }

    // MARK: Publishing

    /// Tells all observers. Never waits.
    public func publish(_ happening: Event.Happening) {
        let time = clock.date()
        let (hasWork, needsNumbers) = state.withLock { state in
            if state.next == state.end {
                state.unnumbered.append((time, happening))
            } else {
                number(happening, at: time, in: &state)
            }
            let needsNumbers = state.end - state.next < blockSize / 2 && !state.isReserving
            if needsNumbers { state.isReserving = true }
            return (beginsDelivery(&state), needsNumbers)
        }
        if hasWork { queue.async { self.deliver() } }
        // Nobody waits for the reservation: what is published meanwhile is numbered from the other half of the block.
        if needsNumbers { Task { await extend() } }
    }

    private func number(_ happening: Event.Happening, at time: Date, in state: inout State) {
        var before: EncodedEvent?
        if case .download(let status) = happening { before = state.running[status.operation] }
        let event = EncodedEvent(Event(sequence: state.next, time: time, happening: happening), after: before)
        state.pending.append(event)
        state.next += 1
        guard case .download(let status) = happening else { return }
        if status.state.isEnd {
            state.running[status.operation] = nil
            state.ended.append(status)
            // In large pieces, because taking the first out of an array moves all others.
            if state.ended.count > Self.endsKept + Self.endsKept / 4 {
                state.ended.removeFirst(state.ended.count - Self.endsKept)
            }
        } else {
            state.running[status.operation] = event
        }
    }

    private func beginsDelivery(_ state: inout State) -> Bool {
        guard !state.pending.isEmpty, !state.isDelivering else { return false }
        state.isDelivering = true
        return true
    }

    private func extend() async {
        let block = try? await reserve(blockSize)
        let hasWork = state.withLock { state in
            state.isReserving = false
            guard let block else { return false }
            // Numbers that are left of the block before are skipped: they only have to grow.
            state.next = block.lowerBound
            state.end = block.upperBound
            for (time, happening) in state.unnumbered { number(happening, at: time, in: &state) }
            state.unnumbered = []
            return beginsDelivery(&state)
        }
        if hasWork { queue.async { self.deliver() } }
    }

    /// On the log's own queue, where only one of it runs at a time.
    private func deliver() {
        while true {
            let events = state.withLock { state in
                if state.pending.isEmpty { state.isDelivering = false }
                defer { state.pending = [] }
                return state.pending
            }
            if events.isEmpty { return }
            let lasting = events.filter { !$0.isProgress }
            if !lasting.isEmpty { record(lasting) }
            // Who begins to observe from here on finds them among those that are kept.
            let observers = state.withLock { state in
                keep(lasting, in: &state)
                for event in events {
                    guard case .download(let operation, _) = event.subject else { continue }
                    state.progress[operation] = event.isProgress ? event : nil
                }
                return Array(state.observers.values)
            }
            for observer in observers { observer.offer(events)?.wake() }
        }
    }

    private func record(_ events: [EncodedEvent]) {
        history.withLock { history in
            let hadFailed = history?.failure != nil
            history?.append(events)
            if let failure = history?.failure, !hadFailed { Self.warn(failure, log) }
        }
    }

    private static func warn(_ failure: FileError, _ log: Logger?) {
        log?.warning("\(words(for: failure))")
    }

    private static func words(for failure: FileError) -> String {
        "Events can't be kept on the disk; after a restart, observers have to take a snapshot. \(failure.message)"
    }

    private func keep(_ events: [EncodedEvent], in state: inout State) {
        let before = state.kept.count
        state.kept += events
        // The newest are what readers are at; of the older ones one form is enough.
        let old = max(0, before - encodedKept)..<max(0, state.kept.count - encodedKept)
        for event in state.kept[old] { event.forgetEncoded() }
        guard state.kept.count > capacity + capacity / 4 else { return }
        let surplus = state.kept.count - capacity
        state.goneThrough = state.kept[surplus - 1].sequence
        state.kept.removeFirst(surplus)
        earlier.withLock { $0 = .read(nil) }
    }

    // MARK: Observing

    /// Events from now on, or all after the one numbered `sequence` and then from now on.
    ///
    /// - Parameter scope: what of it.
    /// - Throws: `events.gone` where some of those asked for are no longer kept.
    public func observe(
        after sequence: UInt64? = nil, _ scope: EventFilter = .all
    ) throws(DownloadError) -> EventSubscription {
        let earlier = sequence.flatMap { $0 < start ? readEarlier() : nil }
        let subscription = EventSubscription(scope, capacity: readerCapacity) { [weak self] subscription in
            self?.remove(subscription)
        }
        let isKnown = state.withLock { state in
            var missed: [EncodedEvent] = []
            if let sequence {
                guard let events = events(after: sequence, earlier, in: state) else { return false }
                missed = events
            }
            // Nobody reads from it yet, so nobody is woken.
            subscription.begin(after: sequence ?? state.next - 1, with: missed)
            if state.isClosed {
                subscription.end()
            } else {
                state.observers[ObjectIdentifier(subscription)] = subscription
            }
            return true
        }
        guard isKnown else {
            throw DownloadError(
                .eventsGone,
                "The events after \(sequence ?? 0) are no longer kept. Take a snapshot and go on from its sequence number."
            )
        }
        return subscription
    }

    /// `nil` where some of them are gone, or the number was never given.
    private func events(
        after sequence: UInt64, _ earlier: EarlierEvents.Content?, in state: State
    ) -> [EncodedEvent]? {
        guard sequence < state.next else { return nil }
        var events = state.kept[state.kept.partitioningIndex { $0.sequence > sequence }...]
        if sequence < state.goneThrough {
            // What was in memory follows what was on the disk as long as none of it had to go.
            guard let earlier, state.goneThrough == start, sequence >= earlier.goneThrough else { return nil }
            events = earlier.events[earlier.events.partitioningIndex { $0.sequence > sequence }...] + events
        }
        // Without it, who comes back would believe an older one until the next.
        let progress = state.progress.values.filter { $0.sequence > sequence }
        if !progress.isEmpty { events = (events + progress).sorted { $0.sequence < $1.sequence }[...] }
        // Some room is left for what comes while they are read.
        return events.count <= readerCapacity / 4 * 3 ? Array(events) : nil
    }

    private func readEarlier() -> EarlierEvents.Content? {
        earlier.withLock { earlier in
            if case .unread(let unread) = earlier { earlier = .read(unread.read()) }
            if case .read(let content) = earlier { return content }
            return nil
        }
    }

    /// What was told before the log was opened, where its process did not end in order: it may have done more than it
    /// could tell. `nil` where it did, and where nothing of it is known.
    public func toldBeforeCrash() async -> ToldEvents? {
        await withCheckedContinuation { continuation in
            queue.async {
                let wasClosed = self.earlier.withLock { earlier in
                    if case .unread(let unread) = earlier { unread.wasClosed } else { true }
                }
                continuation.resume(returning: wasClosed ? nil : self.readEarlier().map { ToldEvents($0.events) })
            }
        }
    }

    private func remove(_ subscription: EventSubscription) {
        state.withLock { $0.observers[ObjectIdentifier(subscription)] = nil }
    }

    /// Returns when all that was published is written and told.
    public func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Writes and tells what was published, ends every observer's sequence behind it, and says on the disk that nothing
    /// is missing. What is published later nobody hears.
    public func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.deliver()
                self.history.withLock { history in
                    history?.close()
                    history = nil
                }
                continuation.resume()
            }
        }
        let observers = state.withLock { state in
            state.isClosed = true
            defer { state.observers = [:] }
            return Array(state.observers.values)
        }
        for observer in observers { observer.finish() }
    }
}

extension Array {
    /// The first index from which on `isAfter` holds, in an array where it holds for all behind the first.
    func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
