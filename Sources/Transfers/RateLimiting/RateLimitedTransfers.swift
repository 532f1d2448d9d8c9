import StoreModel
import Synchronization

/// The rate limits of running transfers, and the transfers that are paused until their limit lets them continue.
///
/// Used on the engine's thread only.
final class RateLimitedTransfers {
    var rateLimiter = RateLimiter()
    private let total: ReceivedBytes
    private var paused: [ObjectIdentifier: ContinuousClock.Instant] = [:]

    /// Creates the rate limits of a transfer engine that has no transfers yet.
    ///
    /// - Parameter total: counts the body bytes of all transfers.
    init(_ total: ReceivedBytes) { self.total = total }

    /// The time at which the next paused transfer may continue; `nil` where none is paused.
    var next: ContinuousClock.Instant? { paused.values.min() }

    func transferDidBegin(_ job: TransferJob) {
        rateLimiter.transferDidBegin(
            job.number, of: job.request.bandwidthClass, rate: job.request.rate?.bytesPerSecond, at: .now)
    }

    func transferDidEnd(_ job: TransferJob) {
        paused[ObjectIdentifier(job)] = nil
        rateLimiter.transferDidEnd(job.number, of: job.request.bandwidthClass, at: .now)
    }

    /// Returns whether a transfer may receive bytes; otherwise it is recorded as paused.
    ///
    /// It stays paused until ``due(at:)`` or ``removeAll()`` returns it.
    func mayReceive(_ job: TransferJob) -> Bool {
        let now = ContinuousClock.now
        rateLimiter.setRate(job.request.rate?.bytesPerSecond, of: job.number, at: now)
        guard let wait = rateLimiter.wait(job.number, of: job.request.bandwidthClass, at: now) else { return true }
        paused[ObjectIdentifier(job)] = now + wait
        return false
    }

    func received(_ job: TransferJob, _ count: Int) {
        total.count.add(count, ordering: .relaxed)
        rateLimiter.received(job.number, of: job.request.bandwidthClass, count)
    }

    /// Removes and returns all paused transfers, because a rate limit has changed; each checks its limit again.
    func removeAll() -> [ObjectIdentifier] {
        defer { paused = [:] }
        return Array(paused.keys)
    }

    /// Removes and returns the paused transfers that may continue, first those that could for longest.
    func due(at now: ContinuousClock.Instant) -> [ObjectIdentifier] {
        let due = paused.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
        for id in due { paused[id] = nil }
        return due
    }
}

/// A counter of the bytes of response bodies that a transfer engine has received, including those of failed transfers.
final class ReceivedBytes: Sendable {
    let count = Atomic(0)
}
