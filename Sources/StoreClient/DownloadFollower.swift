public import StoreModel

/// Follows downloads to their ends over one connection, however many they are.
///
/// Made before the downloads are begun (``StoreClient/follower(product:)``), so that nothing of them is missed. Each
/// end is told exactly once, also where the daemon died in between. To be used by one task at a time.
public struct DownloadFollower: AsyncIteratorProtocol {
    private let client: StoreClient
    private var reader: EventReader
    /// Each with the newest status, where one was told.
    private var running: [OperationID: DownloadStatus?] = [:]
    private var waiting: [DownloadStatus] = []

    init(_ client: StoreClient, productIdentifier: String?) async throws {
        self.client = client
        reader = EventReader(client, after: nil, productIdentifier: productIdentifier, restartsDaemon: true)
        try await reader.connect(after: nil)
    }

    /// Follows one more download; `status`, as it was answered, is the first that ``next()`` tells of it.
    public mutating func follow(_ status: DownloadStatus) {
        waiting.append(status)
        if !status.state.isEnd { running[status.operation] = .some(status) }
    }

    /// Follows one of which no more than its operation is known; ``next()`` tells of it when something happens.
    public mutating func follow(_ operation: OperationID) {
        running[operation] = .some(nil)
    }

    /// The newest status of one of the downloads; `nil` when all that are followed have ended.
    ///
    /// - Throws: `daemon.stopped` where the daemon was stopped meanwhile, `daemon.unreachable` and
    ///   `daemon.not-started` where it can't be had again.
    public mutating func next() async throws -> DownloadStatus? {
        while true {
            if !waiting.isEmpty { return waiting.removeFirst() }
            if running.isEmpty { return nil }
            do {
                switch try await reader.next() {
                case .event(let event):
                    if case .download(let status) = event.happening { take(status) }
                case .reconnected:
                    try await askForAll()
                }
            } catch let error as ErrorReport where error.code.word == "events.gone" {
                let snapshot = try await client.snapshot()
                try await reader.connect(after: snapshot.sequence)
                try await askForAll()
            }
        }
    }

    private mutating func take(_ status: DownloadStatus) {
        guard let known = running[status.operation], known != status else { return }
        if let known, status.isBefore(known) { return }
        running[status.operation] = status.state.isEnd ? nil : .some(status)
        waiting.append(status)
    }

    /// Asks how each download stands: what is still known of those that run, and the history of the rest.
    private mutating func askForAll() async throws {
        for status in try await client.downloads() { take(status) }
        for (id, status) in running {
            let record = try await client.operation(id)
            guard let end = record.end else { continue }
            var ended =
                status
                ?? DownloadStatus(
                    operation: id, action: record.action, productIdentifier: record.productIdentifier,
                    store: record.store ?? "")
            ended.end(as: end, error: record.error)
            take(ended)
        }
    }
}

extension DownloadStatus {
    /// Whether this tells of a step before the one that `known` tells of: what was answered may be newer than the events
    /// that were on their way meanwhile.
    fileprivate func isBefore(_ known: DownloadStatus) -> Bool {
        let steps: [DownloadActivity] = [.queued, .connecting, .transferring, .verifying, .unpacking, .saving]
        guard attempt == known.attempt, let own = activity.flatMap(steps.firstIndex),
            let other = known.activity.flatMap(steps.firstIndex)
        else { return false }
        return own < other
    }
}

extension StoreClient {
    /// Begins to listen for downloads: what is begun after this returns can be followed from its first moment.
    ///
    /// - Parameter productIdentifier: where only downloads of one product are of interest.
    public func follower(product productIdentifier: String? = nil) async throws -> DownloadFollower {
        try await DownloadFollower(self, productIdentifier: productIdentifier)
    }
}
