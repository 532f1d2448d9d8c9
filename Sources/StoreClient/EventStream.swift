public import StoreModel

/// An asynchronous sequence of the daemon's events, in order and without a gap across lost connections.
///
/// After a lost connection the stream continues after the last event that it received. Types of events that this
/// release does not know are skipped. Each iterator has a connection of its own, which is closed with the iterator or
/// when its task is cancelled.
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

        /// Returns the daemon's next event, and waits for it without a time limit.
        ///
        /// - Throws: an error with the code `events.gone` where the daemon no longer has the events after the last one
        ///   received: request a ``StoreClient/snapshot()`` and continue after its event number. `daemon.stopped` where
        ///   the daemon was stopped and not started again within about ten seconds.
        public mutating func next() async throws -> Event? {
            while true {
                if case .event(let event) = try await reader.next() { return event }
            }
        }
    }
}

extension StoreClient {
    /// Returns an asynchronous sequence of the daemon's events.
    ///
    /// - Parameters:
    ///   - sequence: the cursor, which is the sequence number of the last event received; `nil` for events from now on.
    ///   - productIdentifier: the product whose events are delivered; `nil` for those of all products.
    ///   - kind: the kind of product whose events are delivered; `nil` for those of all kinds.
    public func events(
        after sequence: UInt64? = nil, product productIdentifier: String? = nil, kind: ProductKind? = nil
    ) -> EventStream {
        EventStream(client: self, position: sequence, productIdentifier: productIdentifier, kind: kind)
    }
}
