import FoundationEssentials
import StoreAPI
import StoreModel

/// Reads the daemon's events in their order, over as many connections as it takes. To be used by one task at a time.
struct EventReader {
    enum Item {
        case event(Event)
        /// The connection was lost and there is a new one. No event was missed; but a daemon that died may not have
        /// told the end of what it was doing.
        case reconnected
    }

    private let client: StoreClient
    private let productIdentifier: String?
    private let kind: ProductKind?
    /// Whether a connection that broke, and did not end in order, may make the client start the daemon again.
    private let restartsDaemon: Bool
    /// The last event that came; all that came are handed on before the next connection is made.
    private(set) var position: UInt64?
    private var answer: DaemonResponse?
    private var parser = ServerSentEvents()
    private var waiting: [Event] = []
    private var failures = FailedConnections()

    init(
        _ client: StoreClient, after position: UInt64?, productIdentifier: String?, kind: ProductKind? = nil,
        restartsDaemon: Bool
    ) {
        self.client = client
        self.position = position
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.restartsDaemon = restartsDaemon
    }

    /// Opens the first connection, or one after a position that was taken from a snapshot: events from here on are not
    /// missed.
    mutating func connect(after position: UInt64?) async throws {
        self.position = position ?? self.position
        try await open(mayStart: true)
    }

    private mutating func open(mayStart: Bool) async throws {
        let resource = Resource("events").with("after", position.map(String.init))
            .with("product", productIdentifier).with("kind", kind?.rawValue)
        answer = try await client.open(resource, mayStart: mayStart)
        parser = ServerSentEvents()
    }

    /// The next event.
    ///
    /// - Throws: `events.gone` where the daemon no longer has what follows the last one, `daemon.stopped` where the
    ///   daemon ended in order and did not come back.
    mutating func next() async throws -> Item {
        while true {
            if !waiting.isEmpty { return .event(waiting.removeFirst()) }
            if answer == nil { try await connect(after: nil) }
            let endedInOrder: Bool
            do {
                if let bytes = try await answer?.next() {
                    try take(bytes)
                    continue
                }
                endedInOrder = true
            } catch let error as ConnectionError {
                try Task.checkCancellation()
                guard error.reason != .malformed else {
                    throw StoreClientError.badAnswer("GET /v1/events", error.message)
                }
                endedInOrder = false
            }
            answer = nil
            try await reconnect(mayStart: restartsDaemon && !endedInOrder)
            return .reconnected
        }
    }

    private mutating func take(_ bytes: [UInt8]) throws {
        for message in parser.take(bytes) {
            failures = FailedConnections()
            guard let event = try? JSON.decode(Event.self, from: Data(message.data.utf8)) else {
                // As a later release tells it: it is passed over, and not asked for again.
                position = message.id.flatMap { UInt64($0) } ?? position
                continue
            }
            // A daemon that is asked for what follows may send what was seen already; nobody is to hear it twice.
            if let position, event.sequence <= position { continue }
            position = event.sequence
            if case .unknown = event.happening { continue }
            waiting.append(event)
        }
        if parser.isOverlong { throw StoreClientError.badAnswer("GET /v1/events", "an event has no end") }
    }

    private mutating func reconnect(mayStart: Bool) async throws {
        while true {
            guard let pause = failures.pause() else {
                throw StoreClientError(
                    .daemonStopped,
                    "The daemon was stopped. What it was doing goes on with its next start: 'storectl daemon start'."
                )
            }
            try await Task.sleep(for: pause)
            do {
                try await open(mayStart: mayStart)
                // Without any event seen there is nothing to come back to: the stream is that of a new beginning.
                return
            } catch let error as StoreClientError where error.code == .daemonUnreachable && !mayStart {
                continue
            }
        }
    }
}

/// How long to wait before the next attempt to connect, and when to give up. A pure value.
struct FailedConnections {
    private var count = 0

    /// `nil` after about ten seconds in all.
    mutating func pause() -> Duration? {
        guard count < 14 else { return nil }
        defer { count += 1 }
        return min(.milliseconds(20 << min(count, 10)), .seconds(1))
    }
}
