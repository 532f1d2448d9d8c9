import DequeModule
public import StoreModel

/// An iterator over the status changes of any number of downloads until they end, over one connection to the daemon.
///
/// Create it with ``StoreClient/follower(product:endsOnly:)`` before beginning the downloads, so that no event is missed. The
/// end of each download is returned exactly once, also after a crash of the daemon. To be used by one task at a time.
public struct DownloadFollower: AsyncIteratorProtocol {
    private let client: StoreClient
    private var reader: EventReader
    /// The last known statuses of the followed downloads; `nil` where no status is known yet.
    private var running: [OperationID: DownloadStatus?] = [:]
    /// The statuses that are to be returned next.
    private var waiting: Deque<DownloadStatus> = []

    init(_ client: StoreClient, productIdentifier: String?, endsOnly: Bool) async throws {
        self.client = client
        reader = EventReader(
            client, after: nil, productIdentifier: productIdentifier, endsOnly: endsOnly, restartsDaemon: true)
        try await reader.connect(after: nil)
    }

    /// Begins to follow another download, for which ``next()`` returns the given status first.
    public mutating func follow(_ status: DownloadStatus) {
        waiting.append(status)
        if !status.state.isEnd { running[status.operation] = .some(status) }
    }

    /// Begins to follow the download of an operation; ``next()`` returns its status when it changes.
    public mutating func follow(_ operation: OperationID) {
        running[operation] = .some(nil)
    }

    /// Returns the newest status of one of the followed downloads; `nil` when all of them have ended.
    ///
    /// While the daemon is stopped, the running downloads wait, for which the status gives the reason.
    ///
    /// - Throws: `daemon.stopped` where the daemon was stopped, `daemon.unreachable` or `daemon.not-started` where it
    ///   could not be started again.
    public mutating func next() async throws -> DownloadStatus? {
        while true {
            if let status = waiting.popFirst() { return status }
            if running.isEmpty { return nil }
            do {
                switch try await reader.next() {
                case .event(let event):
                    if case .download(let status) = event.happening { take(status) }
                case .daemonStopped: reportStop()
                case .reconnected:
                    try await askForAll()
                }
            } catch let error as ErrorReport where error.code == .eventsGone {
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

    /// Reports that the followed downloads do not continue before the daemon is started again, except for paused ones.
    private mutating func reportStop() {
        for case (let id, var status?) in running.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where status.activity != .paused {
            status.activity = .waiting
            (status.reason, status.reasonCode) = ("the daemon was stopped", nil)
            status.setRate(nil)
            (status.source, status.retryAt) = (nil, nil)
            running[id] = .some(status)
            waiting.append(status)
        }
    }

    /// Requests the status of each followed download, and the records of those that have ended.
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
    /// Returns whether this status of a download is older than `known`.
    ///
    /// A status in a response may be newer than the events that are received after it.
    fileprivate func isBefore(_ known: DownloadStatus) -> Bool {
        let steps: [DownloadActivity] = [.queued, .connecting, .transferring, .verifying, .unpacking, .saving]
        guard attempt == known.attempt, let own = activity.flatMap(steps.firstIndex),
            let other = known.activity.flatMap(steps.firstIndex)
        else { return false }
        return own < other
    }
}

extension StoreClient {
    /// Creates a follower that reports the statuses of downloads which are begun after this call returns.
    ///
    /// - Parameters:
    ///   - productIdentifier: the product whose downloads are followed; `nil` for all products.
    ///   - endsOnly: whether the daemon sends only the ends and pauses of downloads, which costs less. A download that was paused
    ///     and is resumed then remains paused for the follower until its end.
    public func follower(
        product productIdentifier: String? = nil, endsOnly: Bool = false
    ) async throws -> DownloadFollower {
        try await DownloadFollower(self, productIdentifier: productIdentifier, endsOnly: endsOnly)
    }
}
