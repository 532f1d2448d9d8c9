import FoundationEssentials

/// The failures and throughput of each host since the transfer engine was created, by which mirrors are ordered.
///
/// A value without a clock: each event passes the current time.
struct HostStatistics {
    typealias Instant = ContinuousClock.Instant

    private struct Host {
        var consecutiveFailures = 0
        var avoidedUntil: Instant?
        /// The host's throughput for one transfer in bytes per second, exponentially smoothed; `nil` if unknown.
        var throughput: Double?
    }
    private var hosts: [String: Host] = [:]

    /// The smallest transfer, in bytes, whose throughput is measured.
    ///
    /// The duration of smaller transfers is mostly latency.
    static let minimumSample = 1 << 20
    /// The time for which a host is tried after all others, for each of its consecutive failures.
    static let avoidancePerFailure = Duration.seconds(30)
    /// The longest time for which a host that failed is tried after all others.
    static let maximumAvoidance = Duration.seconds(600)

    /// Returns the key by which the host of a URL is known: scheme, host and port.
    ///
    /// Scheme and port belong to it, because servers on two ports are independent.
    static func name(of url: URL) -> String {
        "\(url.scheme?.lowercased() ?? "")://\(url.host()?.lowercased() ?? ""):\(url.port ?? 0)"
    }

    /// Records a successful transfer of `count` bytes from the host of a URL, which ends a run of the host's failures.
    mutating func transferDidSucceed(_ url: URL, _ count: Int, in time: Duration) {
        let name = Self.name(of: url)
        var host = hosts[name] ?? Host()
        host.consecutiveFailures = 0
        host.avoidedUntil = nil
        if count >= Self.minimumSample, time > .zero {
            let sample = Double(count) / time.timeInterval
            host.throughput = host.throughput.map { 0.7 * $0 + 0.3 * sample } ?? sample
        }
        hosts[name] = host
    }

    /// Records a failed transfer from the host of a URL, after which the host is tried last for a while.
    ///
    /// - Parameter retryAfter: how long the host asked not to be contacted; `nil` is not at all.
    mutating func transferDidFail(_ url: URL, retryAfter: Duration?, at now: Instant) {
        let name = Self.name(of: url)
        var host = hosts[name] ?? Host()
        host.consecutiveFailures += 1
        let time = max(Self.avoidancePerFailure * min(host.consecutiveFailures, 1000), retryAfter ?? .zero)
        host.avoidedUntil = now + min(time, Self.maximumAvoidance)
        hosts[name] = host
    }

    /// Returns the URLs of mirrors in the order in which to try them.
    ///
    /// Hosts without recent failures come first, then those with fewer of them. Among these, a host that is at least
    /// twice as fast as another comes first, and otherwise the given order applies. A host of unknown throughput counts
    /// as the fastest, so that its throughput becomes known.
    func order(_ urls: [URL], at now: Instant) -> [URL] {
        let known = urls.map { hosts[Self.name(of: $0)] ?? Host() }
        let fastest = known.compactMap(\.throughput).max() ?? 1
        let ranks = zip(urls.indices, known).map { index, host in
            let isAvoided = host.avoidedUntil.map { now < $0 } ?? false
            // Only a factor of two or more overrules the publisher's order.
            let slowness = (fastest / max(host.throughput ?? fastest, 1)).rounded(.down)
            return (isAvoided ? host.consecutiveFailures : 0, slowness, index)
        }
        return ranks.sorted { $0 < $1 }.map { urls[$0.2] }
    }
}
