/// The queue of transfers that wait because too many transfers to their host are running.
///
/// Used on the engine's thread only.
struct HostWaitQueue {
    struct Waiting {
        let job: TransferJob
        let makeSink: @Sendable () -> any BodySink
    }
    /// The waiting transfers by host, first in, first out; a host without any has no entry.
    private var waiting: [String: [Waiting]] = [:]
    private(set) var limiter = HostConcurrencyLimiter()

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
    /// - Returns: also the time at which the next one may begin because a host's `Retry-After` ends; `nil` where none waits
    ///   for that. It is decided at the same time: a `Retry-After` that ended in between would be waited for without end.
    mutating func admit(
        at now: HostConcurrencyLimiter.Instant
    ) -> (transfers: [Waiting], next: HostConcurrencyLimiter.Instant?) {
        var admitted: [Waiting] = []
        for (host, queue) in waiting {
            let count = queue.prefix { _ in limiter.begin(host, at: now) }.count
            admitted += queue.prefix(count)
            waiting[host] = count == queue.count ? nil : Array(queue.dropFirst(count))
        }
        return (admitted, waiting.keys.compactMap { limiter.retryTime($0, at: now) }.min())
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
