public import StoreAPI
public import StoreModel

/// What a front-end hears.
public enum StoreObservation: Sendable {
    /// The present state: what was known before counts no more.
    case snapshot(SnapshotDocument)
    /// What happened next.
    case event(Event)
}

/// A snapshot and then every event after it, whatever becomes of the connection or the daemon: where that no longer has
/// what follows, another snapshot takes its place. Each iterator is an observer of its own, with a connection of its own.
public struct StoreObservations: AsyncSequence, Sendable {
    let client: StoreClient
    let productIdentifier: String?
    let kind: ProductKind?

    public func makeAsyncIterator() -> Iterator { Iterator(observations: self) }

    public struct Iterator: AsyncIteratorProtocol {
        let observations: StoreObservations
        private var reader: EventReader?

        init(observations: StoreObservations) { self.observations = observations }

        /// What is to be heard next; waits for it as long as it takes.
        ///
        /// - Throws: `daemon.stopped` where the daemon was stopped and nobody started it again within some ten seconds,
        ///   and what keeps a snapshot from being taken. Asking again goes on, with a snapshot.
        public mutating func next() async throws -> StoreObservation? {
            while true {
                guard var reader else { return .snapshot(try await begin()) }
                self.reader = nil
                do {
                    let item = try await reader.next()
                    self.reader = reader
                    if case .event(let event) = item { return .event(event) }
                } catch let error as ErrorReport where error.code.word == "events.gone" {
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
    /// Observes everything, beginning with how it stands: what a window that shows the store lives on.
    ///
    /// - Parameters:
    ///   - productIdentifier: only events about this product. Snapshots have everything in any case.
    ///   - kind: only events about products of this kind.
    public func observations(
        product productIdentifier: String? = nil, kind: ProductKind? = nil
    ) -> StoreObservations {
        StoreObservations(client: self, productIdentifier: productIdentifier, kind: kind)
    }
}
