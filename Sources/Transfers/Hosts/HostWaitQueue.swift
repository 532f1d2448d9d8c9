/// The queue of transfers that wait because too many transfers to their host are running.
///
/// Used on the engine's thread only.
struct HostWaitQueue {
    struct Waiting {
        let job: TransferJob
        let makeSink: @Sendable () -> any BodySink

        /// The time at which the transfer ends, whether it has begun or not; `nil` if it may take any time.
        fileprivate var deadline: HostConcurrencyLimiter.Instant? {
            job.request.timeouts.whole.map { job.createdAt + $0 }
        }
    }
    /// The waiting transfers by host, first in, first out; a host without any has no entry.
    private var waiting: [String: [Waiting]] = [:]
    private(set) var limiter = HostConcurrencyLimiter()
    /// The first deadline of all waiting transfers, or one before it; `nil` if none has a deadline.
    private var nextDeadline: HostConcurrencyLimiter.Instant?

    /// The decision about a transfer that is to begin: it begins, waits, or is refused.
    enum Admission {
        /// The transfer begins now, and is counted as running.
        case admitted
        /// The transfer has to wait, and is added to the queue of its host.
        case queued
        /// The transfer must not begin now, and does not wait either.
        ///
        /// It is a further connection for a file that is being downloaded already, and would take the turn of another
        /// file.
        case refused
    }

    /// Returns whether a transfer begins now, and adds one that has to wait to the queue of its host.
    mutating func begin(_ transfer: Waiting, at now: HostConcurrencyLimiter.Instant) -> Admission {
        let host = transfer.job.host
        if waiting[host] == nil, limiter.begin(host, at: now) { return .admitted }
        if transfer.job.isAdditionalConnection { return .refused }
        waiting[host, default: []].append(transfer)
        nextDeadline = [nextDeadline, transfer.deadline].compactMap(\.self).min()
        return .queued
    }

    /// Records the end of a transfer that was allowed to begin, even if it ended before it was handed to libcurl.
    ///
    /// - Parameters:
    ///   - startedAt: when the transfer was handed to libcurl; `nil` where it was not.
    ///   - response: the response; `nil` where none arrived.
    mutating func transferDidEnd(
        _ job: TransferJob, startedAt: HostConcurrencyLimiter.Instant? = nil, _ response: TransferResponse? = nil,
        at now: HostConcurrencyLimiter.Instant
    ) {
        let retryAfter = response?.retryAfter
        let wasThrottled = response?.status == 429 || (response?.status == 503 && retryAfter != nil)
        limiter.transferDidEnd(
            job.host, startedAt: startedAt ?? now, wasThrottled: wasThrottled, retryAfter: retryAfter, at: now)
    }

    /// Removes and returns the waiting transfers that may begin now, and counts them as running.
    ///
    /// - Returns: the transfers, and the time at which to call this again: when the next `Retry-After` ends or the next deadline
    ///   passes, whichever is earlier; `nil` if there is neither. Both results are for the same time: if a `Retry-After` ended
    ///   between two readings of the clock, its transfers would be in neither, and would never begin.
    mutating func admit(
        at now: HostConcurrencyLimiter.Instant
    ) -> (transfers: [Waiting], next: HostConcurrencyLimiter.Instant?) {
        var admitted: [Waiting] = []
        for (host, queue) in waiting {
            let count = queue.prefix { _ in limiter.begin(host, at: now) }.count
            admitted += queue.prefix(count)
            waiting[host] = count == queue.count ? nil : Array(queue.dropFirst(count))
        }
        let times = waiting.keys.compactMap { limiter.retryTime($0, at: now) } + [nextDeadline].compactMap(\.self)
        return (admitted, times.min())
    }

    /// Removes and returns the waiting transfers whose deadline has passed.
    mutating func removeExpired(at now: HostConcurrencyLimiter.Instant) -> [Waiting] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        var expired: [Waiting] = []
        for (host, queue) in waiting {
            let isOver = { (transfer: Waiting) in transfer.deadline.map { $0 <= now } ?? false }
            let rest = queue.filter { !isOver($0) }
            guard rest.count < queue.count else { continue }
            expired += queue.filter(isOver)
            waiting[host] = rest.isEmpty ? nil : rest
        }
        self.nextDeadline = waiting.values.joined().compactMap(\.deadline).min()
        return expired
    }

    /// Removes and returns a transfer that was cancelled while it waited for its host; `nil` where it does not wait.
    mutating func remove(_ job: TransferJob) -> Waiting? {
        let host = job.host
        guard let index = waiting[host]?.firstIndex(where: { $0.job === job }) else { return nil }
        let removed = waiting[host]?.remove(at: index)
        if waiting[host]?.isEmpty ?? false { waiting[host] = nil }
        return removed
    }

    mutating func removeAll() -> [Waiting] {
        defer { waiting = [:] }
        return waiting.values.flatMap { $0 }
    }
}
