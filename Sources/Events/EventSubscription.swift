import StoreModel
import Synchronization

/// A subscription to events, as an asynchronous sequence for one reader, in order.
///
/// Unread events are held in a bounded buffer, in which newer progress of a download replaces older progress and state
/// changes are all retained. A reader that falls so far behind that not even the state changes fit gets `events.gone`
/// and has to take a snapshot. The subscription ends when its last iterator is released, when the reading task is
/// cancelled, and when the bus is closed.
public final class EventSubscription: AsyncSequence, Sendable {
    public typealias Element = EncodedEvent
    private typealias Reader = CheckedContinuation<EncodedEvent?, any Error>

    private struct State {
        /// The event number up to which the subscription delivers no events.
        var cursor: UInt64 = 0
        var buffer: SubscriptionBuffer
        /// The number before which events were dropped that this subscriber has missed; `nil` if there are none.
        var gap: UInt64?
        /// The continuation of the reader that waits for the next event; `nil` while none waits.
        var reader: Reader?
        var isFinished = false
    }

    private let state: Mutex<State>
    private let filter: EventFilter
    private let onEnd: @Sendable (EventSubscription) -> Void

    init(_ filter: EventFilter, capacity: Int, onEnd: @escaping @Sendable (EventSubscription) -> Void) {
        self.filter = filter
        self.onEnd = onEnd
        state = Mutex(State(buffer: SubscriptionBuffer(capacity: capacity)))
    }

    /// Sets the cursor of the subscription and the replayed events, which are delivered before those offered later.
    ///
    /// The cursor is the number of the last event that the reader has seen. Called once, before all other methods.
    func begin(after cursor: UInt64, replaying events: [EncodedEvent]) {
        state.withLock { state in
            state.cursor = events.last?.sequence ?? cursor
            for event in events where filter == .all || filter.matches(event.event) { state.buffer.append(event) }
        }
    }

    /// A waiting reader of a subscription, and the event to resume it with.
    ///
    /// The reader is resumed while no lock is held: resuming a task acquires a lock of the runtime, under which the
    /// cancellation of that task may be waiting for the lock of the subscription.
    struct Resumption {
        fileprivate let reader: CheckedContinuation<EncodedEvent?, any Error>
        fileprivate let result: Result<EncodedEvent?, any Error>

        func resume() { reader.resume(with: result) }
    }

    /// Adds published events to the subscription's buffer, in their order, without waiting for the reader.
    ///
    /// - Returns: The reader, if it waits for one of these events.
    func offer(_ events: [EncodedEvent]) -> Resumption? {
        state.withLock { state in
            var resumption: Resumption?
            for event in events where event.sequence > state.cursor {
                guard !state.isFinished, !state.buffer.hasOverflowed else { break }
                guard filter == .all || filter.matches(event.event) else { continue }
                if let reader = state.reader {
                    state.reader = nil
                    resumption = Resumption(reader: reader, result: .success(event))
                } else {
                    state.buffer.append(event)
                }
            }
            return resumption
        }
    }

    /// Ends the sequence with `events.gone` where the bus dropped events that the subscriber should have received.
    ///
    /// - Parameter gap: The number before which events were dropped.
    /// - Returns: The reader, if it waits for an event.
    func expire(before gap: UInt64) -> Resumption? {
        state.withLock { state in
            guard state.cursor < gap, !state.isFinished else { return nil }
            state.gap = gap
            state.buffer.overflow()
            defer { state.reader = nil }
            return state.reader.map { Resumption(reader: $0, result: .failure(Self.missedEvents(before: gap))) }
        }
    }

    private static func missedEvents(before gap: UInt64) -> StoreError {
        StoreError(.eventsDropped, ["sequence": "\(gap)"])
    }

    /// Returns the next event, or `nil` at the end.
    ///
    /// - Throws: `events.gone` if the reader fell too far behind, or events were dropped.
    fileprivate func next() async throws -> EncodedEvent? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<EncodedEvent?, any Error>? = state.withLock { state in
                    if let gap = state.gap { return .failure(Self.missedEvents(before: gap)) }
                    if state.buffer.hasOverflowed { return .failure(StoreError(.eventReaderTooSlow)) }
                    if let event = state.buffer.popFirst() { return .success(event) }
                    if state.isFinished || Task.isCancelled { return .success(nil) }
                    state.reader = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            finish()
        }
    }

    /// Removes and returns the events that are buffered already, no more than `limit`.
    fileprivate func takeUnread(_ limit: Int) -> [EncodedEvent] {
        state.withLock { state in
            // The next call of `next()` throws the error.
            guard state.gap == nil, !state.buffer.hasOverflowed else { return [] }
            var events: [EncodedEvent] = []
            while events.count < limit, let event = state.buffer.popFirst() { events.append(event) }
            return events
        }
    }

    /// Ends the subscription after the events that are in the buffer.
    public func finish() {
        end()?.resume(returning: nil)
        onEnd(self)
    }

    /// Marks the subscription as ended, and returns the waiting reader for the caller to resume.
    @discardableResult
    func end() -> CheckedContinuation<EncodedEvent?, any Error>? {
        state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

    /// The iterator of an event subscription, which ends when the last copy of the iterator is released.
    public struct Iterator: AsyncIteratorProtocol {
        private let lifetime: Lifetime

        init(subscription: EventSubscription) { lifetime = Lifetime(subscription) }

        /// Returns the next event of the subscription, or `nil` at the end.
        ///
        /// - Throws: `events.gone` if the reader fell too far behind.
        public func next() async throws -> EncodedEvent? { try await lifetime.subscription.next() }

        /// Waits for the next event, and returns it with those that are buffered already; `nil` at the end, also by cancellation.
        ///
        /// - Parameter limit: the maximum number of events, at least 1.
        /// - Throws: as ``next()``.
        public func nextBatch(upTo limit: Int) async throws -> [EncodedEvent]? {
            guard let first = try await next() else { return nil }
            return [first] + lifetime.subscription.takeUnread(limit - 1)
        }

        private final class Lifetime: Sendable {
            let subscription: EventSubscription
            init(_ subscription: EventSubscription) { self.subscription = subscription }
            deinit { subscription.finish() }
        }
    }
}
