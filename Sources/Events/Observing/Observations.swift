public import StoreModel

/// What an observer receives: the state at some event, or the next event.
public enum Observation: Sendable, Hashable {
    /// The current state, which replaces everything received before.
    case snapshot(StoreSnapshot)
    /// The next event.
    case event(Event)
}

/// A snapshot and every event after it, in order and each once.
///
/// A reader that falls so far behind that its buffer overflows gets another snapshot, and the events after that. The
/// sequence ends when the bus is closed, and when the reading task is cancelled. Each iterator has a subscription of its
/// own; one that is not read delays no other.
public struct Observations: AsyncSequence, Sendable {
    public typealias Element = Observation

    private let events: EventBus
    private let filter: EventFilter
    private let snapshot: @Sendable () async throws -> StoreSnapshot

    /// Creates a sequence.
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

    /// The iterator, which takes the first snapshot when it is first advanced.
    public struct Iterator: AsyncIteratorProtocol {
        private let observations: Observations
        private var events: EventSubscription.Iterator?

        fileprivate init(observations: Observations) { self.observations = observations }

        /// Returns the next observation, or `nil` at the end.
        ///
        /// - Throws: What taking a snapshot throws; calling again tries again.
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
