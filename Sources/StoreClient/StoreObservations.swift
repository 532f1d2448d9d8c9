public import StoreAPI
public import StoreModel

/// An element of ``StoreObservations``: a snapshot of the daemon's state, or an event that changes it.
public enum StoreObservation: Sendable {
    /// A snapshot of the complete state, which replaces everything received before.
    case snapshot(SnapshotDocument)
    /// The daemon's next event, which changes the state received before.
    case event(Event)
}

/// An asynchronous sequence of a snapshot of the daemon's state and then every event after it.
///
/// It continues across lost connections and restarts of the daemon.
///
/// Where the following events have expired, another snapshot is delivered instead. Each iterator has a connection of
/// its own.
public struct StoreObservations: AsyncSequence, Sendable {
    let client: StoreClient
    let productIdentifier: String?
    let kind: ProductKind?

    public func makeAsyncIterator() -> Iterator { Iterator(observations: self) }

    public struct Iterator: AsyncIteratorProtocol {
        let observations: StoreObservations
        private var reader: EventReader?

        init(observations: StoreObservations) { self.observations = observations }

        /// Returns the next snapshot of the daemon's state or the next event, and waits for it without a time limit.
        ///
        /// - Throws: `daemon.stopped` where the daemon was stopped and not started again within about ten seconds,
        ///   and the error of a snapshot that failed. The next call continues with a snapshot.
        public mutating func next() async throws -> StoreObservation? {
            while true {
                guard var reader else { return .snapshot(try await begin()) }
                self.reader = nil
                do {
                    let item = try await reader.next()
                    self.reader = reader
                    if case .event(let event) = item { return .event(event) }
                } catch let error as ErrorReport where error.code == .eventsGone {
                    continue
                }
            }
        }

        private mutating func begin() async throws -> SnapshotDocument {
            let snapshot = try await observations.client.snapshot()
            reader = EventReader(
                observations.client, after: snapshot.sequence, productIdentifier: observations.productIdentifier,
                kind: observations.kind, restartsDaemon: false)
            return snapshot
        }
    }
}

extension StoreClient {
    /// Returns a sequence that begins with a snapshot of the daemon's state and continues with every event.
    ///
    /// It is meant for a window that shows the state.
    ///
    /// - Parameters:
    ///   - productIdentifier: the product whose events are delivered; `nil` for all. Snapshots contain all products.
    ///   - kind: the kind of product whose events are delivered; `nil` for all.
    public func observations(
        product productIdentifier: String? = nil, kind: ProductKind? = nil
    ) -> StoreObservations {
        StoreObservations(client: self, productIdentifier: productIdentifier, kind: kind)
    }
}
