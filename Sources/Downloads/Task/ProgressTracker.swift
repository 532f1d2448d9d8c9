import FoundationEssentials
import StoreModel
import StoreTransfers

/// A tracker of the rate and the source of a download, and of the time of its next attempt, for its status.
///
/// A value; times are seconds since any fixed moment.
struct ProgressTracker: Sendable {
    private var meter = RateMeter()
    private var source: String?
    private var retryAt: Date?

    /// Records how many bytes the download's running transfer has received in all, and the URL that they come from.
    mutating func record(bytes: Int, from source: String, at now: Double) {
        self.source = source
        meter.add(bytes: bytes, at: now)
    }

    /// Records that the download's next attempt begins at a date, and forgets the last transfer.
    mutating func recordWait(until date: Date) {
        reset()
        retryAt = date
    }

    /// Removes rate, source and date of the next attempt when a transfer of the download, or a wait, has ended.
    mutating func reset() { self = ProgressTracker() }

    /// Sets the rate, the source and the time of the next attempt in a download's status; unknown ones become `nil`.
    func apply(to status: inout DownloadStatus, at now: Double) {
        status.source = source
        status.retryAt = retryAt
        status.setRate(source == nil ? nil : meter.rate(at: now))
    }
}
