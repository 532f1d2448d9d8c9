public import StoreModel

/// Everything as it stood right after one event.
public struct StoreSnapshot: Sendable, Hashable {
    /// The number of that event.
    public let sequence: UInt64
    /// Those that run, in the order begun, and then those that ended since the start.
    public let downloads: [DownloadStatus]
    public let packs: [InstalledPack]
    /// `nil` where nobody knows of skins.
    public let skin: SkinUse?

    public init(
        sequence: UInt64, downloads: [DownloadStatus], packs: [InstalledPack], skin: SkinUse? = nil
    ) {
        self.skin = skin
        self.sequence = sequence
        self.downloads = downloads
        self.packs = packs
    }
}

/// What an observer hears.
public enum Observation: Sendable, Hashable {
    /// The present state: what was known before counts no more.
    case snapshot(StoreSnapshot)
    /// What happened next.
    case event(Event)
}

/// A snapshot, then every event after it, in order and each once; another snapshot where the reader fell so far behind
/// that there is no room for what it has not read.
///
/// Ends when the log is closed, and when the task that reads it is cancelled. Each iterator is an observer of its own; one
/// that does not read slows nobody.
public struct Observations: AsyncSequence, Sendable {
    public typealias Element = Observation

    private let events: EventLog
    private let scope: EventFilter
    private let snapshot: @Sendable () async throws -> StoreSnapshot

    /// - Parameters:
    ///   - scope: of which events are told.
    ///   - snapshot: the state and the number of the last event that it holds for.
    public init(events: EventLog, scope: EventFilter, snapshot: @escaping @Sendable () async throws -> StoreSnapshot) {
        self.events = events
        self.scope = scope
        self.snapshot = snapshot
    }

    public func makeAsyncIterator() -> Iterator { Iterator(observations: self) }

    public struct Iterator: AsyncIteratorProtocol {
        let observations: Observations
        private var events: EventSubscription.Iterator?

        init(observations: Observations) { self.observations = observations }

        /// What is to be heard next; `nil` at the end.
        ///
        /// - Throws: what taking a snapshot throws. Asking again tries it again.
        public mutating func next() async throws -> Observation? {
            while true {
                do {
                    guard let events else { return .snapshot(try await begin()) }
                    return try await events.next().map { .event($0.event) }
                } catch let error as DownloadError where error.code == .eventsGone {
                    events = nil
                }
            }
        }

        private mutating func begin() async throws -> StoreSnapshot {
            let snapshot = try await observations.snapshot()
            events = try observations.events.observe(after: snapshot.sequence, observations.scope).makeAsyncIterator()
            return snapshot
        }
    }
}
