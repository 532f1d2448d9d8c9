import DequeModule
import StoreModel

/// The state of downloads that published events describe: the running ones, and those that ended most recently.
///
/// `/v1/downloads` and `/v1/snapshot` read the ended downloads from here. All ended operations are in the database: a
/// list that every request returns must not grow with the time that the process runs.
struct RecentDownloads: Sendable {
    /// The newest event of each running download, by its operation.
    ///
    /// Events and not statuses are stored, because the replay buffer holds the same objects.
    private var newestEvents: [OperationID: EncodedEvent] = [:]
    /// The last status of the downloads that ended most recently, in the order of their ends.
    private(set) var ended: Deque<DownloadStatus> = []
    private let endedCapacity: Int

    init(endedCapacity: Int) { self.endedCapacity = endedCapacity }

    /// Returns the newest event of a running download; `nil` if the operation has no running download.
    func newestEvent(of operation: OperationID) -> EncodedEvent? { newestEvents[operation] }

    /// Updates the known downloads from an event; events about anything else have no effect.
    mutating func apply(_ event: EncodedEvent) {
        guard case .download(let status) = event.event.happening else { return }
        guard status.state.isEnd else {
            newestEvents[status.operation] = event
            return
        }
        newestEvents[status.operation] = nil
        ended.append(status)
        if ended.count > endedCapacity { ended.removeFirst() }
    }

    /// The newest statuses of the running downloads, in the order in which they began.
    var running: [DownloadStatus] {
        newestEvents.values.compactMap { event in
            if case .download(let status) = event.event.happening { status } else { nil }
        }
        .sorted { $0.operation < $1.operation }
    }
}
