public import StoreModel

/// An element of the sequence ``Observations``: a snapshot of the engine's state, or the next event.
public enum Observation: Sendable, Hashable {
    /// A snapshot of the current state, which replaces everything received before.
    case snapshot(StoreSnapshot)
    /// The next event, which changes the state that was received before.
    case event(Event)
}

/// An asynchronous sequence of a snapshot of the state and every event after it, in order and each once.
///
/// A reader that falls so far behind that its buffer overflows gets another snapshot, and the events after that. The
/// sequence ends when the bus is closed, and when the reading task is cancelled. Each iterator has a subscription of
/// its own; one that is not read delays no other.
public struct Observations: AsyncSequence, Sendable {
    public typealias Element = Observation

    private let events: EventBus
    private let filter: EventFilter
    private let snapshot: @Sendable () async throws -> StoreSnapshot

    /// Creates a sequence of a snapshot of the state and the events after it.
    ///
    /// - Parameters:
    ///   - events: The bus to subscribe to.
    ///   - filter: Which events are received; a snapshot always includes everything.
    ///   - snapshot: A function that returns the current state and the number of the last event that it includes.
    public init(events: EventBus, filter: EventFilter, snapshot: @escaping @Sendable () async throws -> StoreSnapshot) {
        self.events = events
        self.filter = filter
        self.snapshot = snapshot
    }

    public func makeAsyncIterator() -> Iterator { Iterator(observations: self) }

    /// The iterator of ``Observations``, which requests the first snapshot when ``next()`` is first called.
    public struct Iterator: AsyncIteratorProtocol {
        private let observations: Observations
        private var events: EventSubscription.Iterator?

        fileprivate init(observations: Observations) { self.observations = observations }

        /// Returns the next observation, a snapshot of the state or an event, or `nil` at the end.
        ///
        /// - Throws: The error of taking a snapshot; a further call tries again.
        public mutating func next() async throws -> Observation? {
            while true {
                do {
                    guard let events else { return .snapshot(try await begin()) }
                    return try await events.next().map { .event($0.event) }
                } catch let error as StoreError where error.code == .eventsGone {
                    events = nil
                }
            }
        }

        private mutating func begin() async throws -> StoreSnapshot {
            let snapshot = try await observations.snapshot()
            events = try observations.events.subscribe(after: snapshot.sequence, filter: observations.filter)
                .makeAsyncIterator()
            return snapshot
        }
    }
}
