/// When a daemon that nobody wants ends by itself: no connection is open, no task runs, and both have been so for a while.
struct IdleRule {
    /// How long.
    let timeout: Duration
    private var quietSince: ContinuousClock.Instant

    init(timeout: Duration, now: ContinuousClock.Instant) {
        self.timeout = timeout
        quietSince = now
    }

    enum Verdict: Equatable {
        case end
        /// Look again then.
        case wait(until: ContinuousClock.Instant)
    }

    /// - Parameters:
    ///   - lastChange: when a connection was last opened or closed.
    ///   - isBusy: whether a connection is open or a task runs now.
    mutating func look(isBusy: Bool, lastChange: ContinuousClock.Instant, now: ContinuousClock.Instant) -> Verdict {
        quietSince = isBusy ? now : max(quietSince, lastChange)
        let end = quietSince + timeout
        // Tasks that run are only seen by looking, so a look a tenth of the time apart is as exact as it need be.
        return now >= end ? .end : .wait(until: min(end, now + timeout / 10))
    }
}
