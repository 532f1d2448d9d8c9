/// When a daemon that nobody wants ends by itself: no connection is open, no task gets on (one that is paused does not),
/// and both have been so for a while.
struct IdleTimeout {
    private var quietSince: ContinuousClock.Instant

    init(now: ContinuousClock.Instant) { quietSince = now }

    enum Decision: Equatable {
        case end
        /// Look again then.
        case wait(until: ContinuousClock.Instant)
    }

    /// - Parameters:
    ///   - isBusy: whether a connection is open or a task gets on now.
    ///   - lastChange: when a connection was last opened or closed.
    ///   - timeout: how long a while is; `nil` is for ever.
    mutating func look(
        isBusy: Bool, lastChange: ContinuousClock.Instant, timeout: Duration?, now: ContinuousClock.Instant
    ) -> Decision {
        quietSince = isBusy ? now : max(quietSince, lastChange)
        // Tasks that run, and a timeout that is changed, are only seen by looking.
        guard let timeout else { return .wait(until: now + Self.longestWait) }
        let end = quietSince + timeout
        return now >= end ? .end : .wait(until: min(end, now + min(timeout / 10, Self.longestWait)))
    }

    private static let longestWait = Duration.seconds(30)
}
