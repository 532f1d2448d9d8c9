/// A limiter of concurrent transfers to each host, by additive increase and multiplicative decrease (AIMD), as in TCP.
///
/// A host has no limit before it throttles a transfer (429, or 503 with `Retry-After`). Then half as many transfers as
/// were running may run, at least one, and none of them begins before the time that the host asked for. Each transfer
/// that is not throttled raises the limit a little. The limiter is a value without a clock: each event passes the
/// current time.
struct HostConcurrencyLimiter {
    typealias Instant = ContinuousClock.Instant

    private struct Host {
        var running = 0
        /// The maximum number of concurrent transfers to the host; `nil` is unlimited.
        var limit: Double?
        var loweredAt: Instant?
        var retryAt: Instant?
    }
    private var hosts: [String: Host] = [:]

    /// The longest time in a host's `Retry-After` that is honoured; a longer one counts as this.
    static let maximumRetryAfter = Duration.seconds(300)
    /// The number of concurrent transfers to a host at which its limit is removed.
    static let unlimited = 512.0

    /// Counts a transfer to a host as running; returns `false`, and counts nothing, where the transfer has to wait.
    mutating func begin(_ name: String, at now: Instant) -> Bool {
        var host = hosts[name] ?? Host()
        if let retryAt = host.retryAt, now < retryAt { return false }
        if let limit = host.limit, Double(host.running) >= limit { return false }
        host.running += 1
        hosts[name] = host
        return true
    }

    /// Records the end of a transfer to a host that ``begin(_:at:)`` had counted.
    ///
    /// - Parameters:
    ///   - name: the host's key, as ``HostStatistics/name(of:)`` forms it.
    ///   - startedAt: when the transfer began.
    ///   - wasThrottled: whether the host refused the transfer because of its load.
    ///   - retryAfter: how long the host asked not to be contacted; `nil` is not at all.
    mutating func transferDidEnd(
        _ name: String, startedAt: Instant, wasThrottled: Bool, retryAfter: Duration?, at now: Instant
    ) {
        guard var host = hosts[name] else { return }
        if wasThrottled {
            // Transfers that began before the limit was lowered say nothing about the new limit.
            if host.loweredAt.map({ startedAt >= $0 }) ?? true {
                host.limit = max(1, (Double(host.running) / 2).rounded(.down))
                host.loweredAt = now
            }
            let retryAt = now + min(retryAfter ?? .zero, Self.maximumRetryAfter)
            host.retryAt = max(retryAt, host.retryAt ?? retryAt)
        } else if let limit = host.limit {
            let raised = limit + 1 / limit
            host.limit = raised < Self.unlimited ? raised : nil
        }
        host.running -= 1
        let isForgotten = host.running == 0 && host.limit == nil
        hosts[name] = isForgotten ? nil : host
    }

    /// Returns when the `Retry-After` of a host ends; `nil` where none is in effect, even if the limit is reached.
    func retryTime(_ name: String, at now: Instant) -> Instant? {
        hosts[name]?.retryAt.flatMap { now < $0 ? $0 : nil }
    }
}
