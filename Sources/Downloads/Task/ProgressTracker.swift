import FoundationEssentials
import StoreModel
import StoreTransfers

/// The speed, the source and the time of the next attempt of a download, as its status reports them.
///
/// A value; times are seconds since any fixed moment.
struct ProgressTracker: Sendable {
    private var meter = RateMeter()
    private var source: String?
    private var retryAt: Date?

    /// Records bytes of the running transfer.
    mutating func record(bytes: Int, from source: String, at now: Double) {
        self.source = source
        meter.add(bytes: bytes, at: now)
    }

    /// Records that the next attempt begins at a date.
    mutating func recordWait(until date: Date) {
        reset()
        retryAt = date
    }

    /// Forgets the transfer or the wait that has ended.
    mutating func reset() { self = ProgressTracker() }

    /// Sets the members of a status that the tracker knows.
    func apply(to status: inout DownloadStatus, at now: Double) {
        status.source = source
        status.retryAt = retryAt
        status.setRate(source == nil ? nil : meter.rate(at: now))
    }
}
