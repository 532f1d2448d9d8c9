/// How many transfers a server takes at once, and until when it wants to be left alone: what one transfer was told holds
/// for all to the same server. A value without a clock: it is told the time with each event.
///
/// Nobody is held back before the server refuses somebody (429, or 503 with the time to come again). Then half of those
/// that ran may run, not before that time; each one that ends well lets a little more through, as TCP does.
struct HostConcurrencyLimiter {
    typealias Instant = ContinuousClock.Instant

    private struct Host {
        var running = 0
        /// How many may run; `nil` is any number.
        var limit: Double?
        var loweredAt: Instant?
        var restsUntil: Instant?
    }
    private var hosts: [String: Host] = [:]

    /// No server is believed that wants a longer rest.
    static let longestRest = Duration.seconds(300)
    /// From here on a limit limits nothing.
    static let unlimited = 512.0

    /// Counts a transfer to a server as running, unless it has to wait.
    mutating func begin(_ name: String, at now: Instant) -> Bool {
        var host = hosts[name] ?? Host()
        if let until = host.restsUntil, now < until { return false }
        if let limit = host.limit, Double(host.running) >= limit { return false }
        host.running += 1
        hosts[name] = host
        return true
    }

    /// A transfer that had begun is over.
    ///
    /// - Parameters:
    ///   - begun: when it did.
    ///   - isRefused: whether the server has too much to do.
    ///   - rest: how long it wants to be left alone.
    mutating func ended(_ name: String, begun: Instant, isRefused: Bool, rest: Duration?, at now: Instant) {
        guard var host = hosts[name] else { return }
        if isRefused {
            // Those that were sent before the limit was lowered know nothing of it.
            if host.loweredAt.map({ begun >= $0 }) ?? true {
                host.limit = max(1, (Double(host.running) / 2).rounded(.down))
                host.loweredAt = now
            }
            let until = now + min(rest ?? .zero, Self.longestRest)
            host.restsUntil = max(until, host.restsUntil ?? until)
        } else if let limit = host.limit {
            let raised = limit + 1 / limit
            host.limit = raised < Self.unlimited ? raised : nil
        }
        host.running -= 1
        let isForgotten = host.running == 0 && host.limit == nil
        hosts[name] = isForgotten ? nil : host
    }

    /// When a server may be asked again; `nil` where it may be now.
    func restsUntil(_ name: String, at now: Instant) -> Instant? {
        hosts[name]?.restsUntil.flatMap { now < $0 ? $0 : nil }
    }
}
