public import FoundationEssentials
public import StoreModel
import Synchronization

/// Tells observers what happens, and keeps the last events for those who come back.
///
/// To publish never waits for a reader: an event goes into each observer's own bounded buffer. An event is encoded at
/// most once, by the first reader that needs it in JSON.
public final class EventLog: Sendable {
    /// Where event numbers come from: each block is reserved on the disk before one of it is given, so that none is
    /// given twice, not even after a SIGKILL.
    public typealias Reserve = @Sendable (_ count: Int) async throws -> Range<UInt64>

    private struct State {
        var next: UInt64
        var end: UInt64
        var isReserving = false
        /// What happened while no number was left, which a block that is on its way will number.
        var unnumbered: [(time: Date, happening: Event.Happening)] = []
        /// The last events, oldest first. Progress is not kept: who comes back asks for the present state anyway.
        var kept: [LoggedEvent] = []
        /// The greatest number that is no longer kept; whoever saw it has missed nothing.
        var goneThrough: UInt64
        var observers: [ObjectIdentifier: EventSubscription] = [:]
    }

    private let state: Mutex<State>
    private let reserve: Reserve
    private let capacity: Int
    private let readerCapacity: Int
    private let blockSize = 1 << 16

    /// - Parameters:
    ///   - capacity: how many events are kept.
    ///   - readerCapacity: how many events wait for one reader; at least half of them may be changes of state.
    /// - Throws: what `reserve` throws.
    public init(capacity: Int = 20_000, readerCapacity: Int = 40_000, reserve: @escaping Reserve) async throws {
        self.capacity = capacity
        self.readerCapacity = readerCapacity
        self.reserve = reserve
        let block = try await reserve(blockSize)
        state = Mutex(State(next: block.lowerBound, end: block.upperBound, goneThrough: block.lowerBound - 1))
    }

    /// The number of the newest event; before the first one, the number before it.
    public var last: UInt64 { state.withLock { $0.next - 1 } }

    public var observerCount: Int { state.withLock { $0.observers.count } }

    /// Tells all observers.
    public func publish(_ happening: Event.Happening) {
        let time = Date()
        let (woken, needsNumbers) = state.withLock { state in
            var woken: [EventSubscription.Woken] = []
            if state.next == state.end {
                state.unnumbered.append((time, happening))
            } else {
                woken = number(happening, at: time, in: &state)
            }
            guard state.end - state.next < blockSize / 2, !state.isReserving else { return (woken, false) }
            state.isReserving = true
            return (woken, true)
        }
        for reader in woken { reader.wake() }
        // Nobody waits for the reservation: what is published meanwhile is numbered from the other half of the block.
        if needsNumbers { Task { await extend() } }
    }

    /// - Returns: the readers who waited for it.
    private func number(
        _ happening: Event.Happening, at time: Date, in state: inout State
    ) -> [EventSubscription.Woken] {
        let event = LoggedEvent(Event(sequence: state.next, time: time, happening: happening))
        state.next += 1
        if !event.event.isProgress {
            state.kept.append(event)
            if state.kept.count > capacity + capacity / 4 {
                // In large pieces, because taking the first out of an array moves all others.
                let surplus = state.kept.count - capacity
                state.goneThrough = state.kept[surplus - 1].event.sequence
                state.kept.removeFirst(surplus)
            }
        }
        return state.observers.values.compactMap { $0.offer(event) }
    }

    private func extend() async {
        let block = try? await reserve(blockSize)
        let woken = state.withLock { state in
            state.isReserving = false
            guard let block else { return [EventSubscription.Woken]() }
            // Numbers that are left of the block before are skipped: they only have to grow.
            state.next = block.lowerBound
            state.end = block.upperBound
            defer { state.unnumbered = [] }
            return state.unnumbered.flatMap { number($0.happening, at: $0.time, in: &state) }
        }
        for reader in woken { reader.wake() }
    }

    /// Events from now on, or all after the one numbered `sequence` and then from now on.
    ///
    /// - Parameter productIdentifier: only those about this product.
    /// - Throws: `events.gone` where some of those asked for are no longer kept.
    public func observe(
        after sequence: UInt64? = nil, productIdentifier: String? = nil
    ) throws(DownloadError) -> EventSubscription {
        let subscription = EventSubscription(
            productIdentifier: productIdentifier, capacity: readerCapacity
        ) { [weak self] subscription in
            self?.remove(subscription)
        }
        let isGone = state.withLock { state in
            if let sequence {
                guard sequence >= state.goneThrough, sequence < state.next else { return true }
                let first = state.kept.partitioningIndex { $0.event.sequence > sequence }
                // Nobody reads from it yet, so nobody is woken.
                for event in state.kept[first...] { _ = subscription.offer(event) }
            }
            state.observers[ObjectIdentifier(subscription)] = subscription
            return false
        }
        guard !isGone else {
            throw DownloadError(
                .eventsGone,
                "The events after \(sequence ?? 0) are no longer kept. Take a snapshot and go on from its sequence number."
            )
        }
        return subscription
    }

    private func remove(_ subscription: EventSubscription) {
        state.withLock { $0.observers[ObjectIdentifier(subscription)] = nil }
    }

    /// Ends every observer's sequence, as the daemon does before it ends itself.
    public func close() {
        let observers = state.withLock { state in
            defer { state.observers = [:] }
            return Array(state.observers.values)
        }
        for observer in observers { observer.finish() }
    }
}

/// An event, and its JSON once someone asked for it.
public final class LoggedEvent: Sendable {
    public let event: Event
    private let json = Mutex<Data?>(nil)

    init(_ event: Event) { self.event = event }

    /// One line of JSON; the same bytes for every reader.
    public var encoded: Data {
        json.withLock { json in
            if let json { return json }
            // Every member of an event can be encoded, so that an error is a defect that must not go unseen.
            let made = (try? JSON.encode(event)) ?? Data(#"{"type":"defect"}"#.utf8)
            json = made
            return made
        }
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
