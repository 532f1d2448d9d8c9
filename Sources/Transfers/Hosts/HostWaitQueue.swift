/// The transfers that wait until ``HostConcurrencyLimiter`` lets them begin, by host.
///
/// Used on the engine's thread only.
struct HostWaitQueue {
    struct Waiting {
        let job: TransferJob
        let makeSink: @Sendable () -> any BodySink
    }
    /// First in, first out, by host.
    private var waiting: [String: [Waiting]] = [:]
    private(set) var limiter = HostConcurrencyLimiter()

    enum Admission {
        /// The transfer is counted as running and begins.
        case admitted
        /// The transfer waits for its turn.
        case queued
        /// The transfer must not begin: it is a further connection for a file that is being downloaded already, and would
        /// take the turn of another file.
        case refused
    }

    mutating func begin(_ transfer: Waiting, at now: HostConcurrencyLimiter.Instant) -> Admission {
        // Local daemons limit their load themselves, so transfers through a unix socket never wait.
        guard let host = transfer.job.host else { return .admitted }
        if waiting[host] == nil, limiter.begin(host, at: now) { return .admitted }
        if transfer.job.isAdditionalConnection { return .refused }
        waiting[host, default: []].append(transfer)
        return .queued
    }

    /// Records the end of an admitted transfer, which may have ended before libcurl got it.
    ///
    /// - Parameters:
    ///   - startedAt: when the transfer was handed to libcurl.
    ///   - response: the response, if one arrived.
    mutating func transferDidEnd(
        _ job: TransferJob, startedAt: HostConcurrencyLimiter.Instant? = nil, _ response: TransferResponse? = nil,
        at now: HostConcurrencyLimiter.Instant
    ) {
        guard let host = job.host else { return }
        let retryAfter = response?.retryAfter
        let wasThrottled = response?.status == 429 || (response?.status == 503 && retryAfter != nil)
        limiter.transferDidEnd(
            host, startedAt: startedAt ?? now, wasThrottled: wasThrottled, retryAfter: retryAfter, at: now)
    }

    /// Removes and returns the transfers that may begin now.
    mutating func admit(at now: HostConcurrencyLimiter.Instant) -> [Waiting] {
        var admitted: [Waiting] = []
        for (host, queue) in waiting {
            let count = queue.prefix { _ in limiter.begin(host, at: now) }.count
            admitted += queue.prefix(count)
            waiting[host] = count == queue.count ? nil : Array(queue.dropFirst(count))
        }
        return admitted
    }

    /// Returns the next time at which a transfer may begin because a `Retry-After` ends; `nil` where none waits for that.
    func nextAdmission(at now: HostConcurrencyLimiter.Instant) -> HostConcurrencyLimiter.Instant? {
        waiting.keys.compactMap { limiter.retryTime($0, at: now) }.min()
    }

    /// Removes a transfer that was cancelled while it waited; `nil` where it does not wait.
    mutating func remove(_ job: TransferJob) -> Waiting? {
        guard let host = job.host, let index = waiting[host]?.firstIndex(where: { $0.job === job }) else { return nil }
        let removed = waiting[host]?.remove(at: index)
        if waiting[host]?.isEmpty ?? false { waiting[host] = nil }
        return removed
    }

    mutating func removeAll() -> [Waiting] {
        defer { waiting = [:] }
        return waiting.values.flatMap { $0 }
    }
}
