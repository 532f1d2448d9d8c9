import FoundationEssentials
import StoreAPI
import StoreModel

/// Reads the daemon's events in order, and reconnects after lost connections; to be used by one task at a time.
struct EventReader {
    enum Item {
        case event(Event)
        /// The connection on which events arrive was lost and replaced.
        ///
        /// No event was missed, but a daemon that crashed may not have published the end of an operation.
        case reconnected
        /// The daemon was stopped, and the connection is lost until it is started again, which is awaited next.
        case daemonStopped
    }

    private let client: StoreClient
    private let productIdentifier: String?
    private let kind: ProductKind?
    private let endsOnly: Bool
    /// Whether the daemon may be started again after a connection that ended without being closed in order.
    private let restartsDaemon: Bool
    /// The sequence number of the last event that was received; `nil` before the first.
    private(set) var position: UInt64?
    private var answer: DaemonResponse?
    private var parser = ServerSentEvents()
    private var waiting: [Event] = []
    private var failures = FailedConnections()
    /// Whether the daemon may be started for the connection that has to replace a lost one; `nil` if none was lost.
    private var replacementMayStartDaemon: Bool?

    init(
        _ client: StoreClient, after position: UInt64?, productIdentifier: String?, kind: ProductKind? = nil,
        endsOnly: Bool = false, restartsDaemon: Bool
    ) {
        self.client = client
        self.position = position
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.endsOnly = endsOnly
        self.restartsDaemon = restartsDaemon
    }

    /// Opens the first connection for events; with a position, those after that sequence number are requested.
    mutating func connect(after position: UInt64?) async throws {
        self.position = position ?? self.position
        try await open(mayStart: true)
    }

    private mutating func open(mayStart: Bool) async throws {
        let resource = Resource("events").with("after", position.map(String.init))
            .with("product", productIdentifier).with("kind", kind?.rawValue).with("ends", endsOnly ? "true" : nil)
        answer = try await client.open(resource, mayStart: mayStart)
        parser = ServerSentEvents()
    }

    /// Returns the next event, or the information that the connection was lost or replaced.
    ///
    /// - Throws: `events.gone` where the events after the last one have expired, `daemon.stopped` where the daemon
    ///   ended in order and was not started again.
    mutating func next() async throws -> Item {
        while true {
            if !waiting.isEmpty { return .event(waiting.removeFirst()) }
            if let mayStart = replacementMayStartDaemon {
                replacementMayStartDaemon = nil
                try await reconnect(mayStart: mayStart)
                return .reconnected
            }
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
                    throw StoreError(.daemonBadResponse, ["request": "GET /v1/events", "reason": error.message])
                }
                endedInOrder = false
            }
            answer = nil
            replacementMayStartDaemon = restartsDaemon && !endedInOrder
            if endedInOrder { return .daemonStopped }
        }
    }

    private mutating func take(_ bytes: [UInt8]) throws {
        // Any bytes show that the connection works, also a comment, which the daemon sends while there are no events.
        failures = FailedConnections()
        for message in parser.take(bytes) {
            guard let event = try? JSON.decode(Event.self, from: Data(message.data.utf8)) else {
                // An event of a type that a later release introduced is skipped.
                position = message.id.flatMap { UInt64($0) } ?? position
                continue
            }
            // The daemon may send events again that were received before the connection was lost.
            if let position, event.sequence <= position { continue }
            position = event.sequence
            if case .unknown = event.happening { continue }
            waiting.append(event)
        }
        if parser.isOverlong {
            throw StoreError(.daemonBadResponse, ["request": "GET /v1/events", "reason": "an event has no end"])
        }
    }

    private mutating func reconnect(mayStart: Bool) async throws {
        while true {
            guard let pause = failures.pause() else {
                throw StoreError(.daemonWasStopped)
            }
            try await Task.sleep(for: pause)
            do {
                try await open(mayStart: mayStart)
                // Without a received event there is no cursor, and the stream begins with the next event.
                return
            } catch let error as StoreError where error.code == .daemonUnreachable && !mayStart {
                continue
            }
        }
    }
}

/// Computes the delays between attempts to reconnect to the daemon: exponential, and limited in number.
struct FailedConnections {
    private var count = 0

    /// Returns the delay before the next attempt to reconnect; `nil` after about ten seconds in total.
    mutating func pause() -> Duration? {
        guard count < 14 else { return nil }
        defer { count += 1 }
        return min(.milliseconds(20 << min(count, 10)), .seconds(1))
    }
}
