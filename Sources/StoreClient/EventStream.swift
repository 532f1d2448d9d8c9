public import StoreModel

/// What happens at the daemon, in order and without a gap, whatever becomes of the connection.
///
/// Where the connection breaks, the stream comes back with the last event it saw, and goes on with the one after.
/// Kinds of event that this release does not know are passed over. Each iterator has a connection of its own, which
/// ends with it, or when its task is cancelled.
public struct EventStream: AsyncSequence, Sendable {
    let client: StoreClient
    let position: UInt64?
    let productIdentifier: String?
    let kind: ProductKind?

    public func makeAsyncIterator() -> Iterator {
        Iterator(
            reader: EventReader(
                client, after: position, productIdentifier: productIdentifier, kind: kind, restartsDaemon: false))
    }

    public struct Iterator: AsyncIteratorProtocol {
        var reader: EventReader

        /// The next event; waits for it as long as it takes.
        ///
        /// - Throws: an error with the code `events.gone` where the daemon no longer has what follows the last one
        ///   seen: take a ``StoreClient/snapshot()`` and go on after its sequence number. `daemon.stopped` where
        ///   the daemon was stopped and nobody started it again within some ten seconds.
        public mutating func next() async throws -> Event? {
            while true {
                if case .event(let event) = try await reader.next() { return event }
            }
        }
    }
}

extension StoreClient {
    /// Observes what happens.
    ///
    /// - Parameters:
    ///   - sequence: the last event that was seen; `nil` begins at the present.
    ///   - productIdentifier: only what is about this product.
    ///   - kind: only what is about products of this kind.
    public func events(
        after sequence: UInt64? = nil, product productIdentifier: String? = nil, kind: ProductKind? = nil
    ) -> EventStream {
        EventStream(client: self, position: sequence, productIdentifier: productIdentifier, kind: kind)
    }
}
