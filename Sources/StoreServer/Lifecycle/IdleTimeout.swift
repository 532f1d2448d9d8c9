/// The rule by which an idle daemon shuts down, with the time since which the daemon is idle.
///
/// A daemon is idle while no connection is open and no download makes progress; a paused download does not.
struct IdleTimeout {
    /// The time since which the daemon is idle.
    ///
    /// `nil` while there is no timeout: then the daemon does not wake up to look.
    private var idleSince: ContinuousClock.Instant?

    init(now: ContinuousClock.Instant) { idleSince = now }

    /// The decision about an idle daemon: shut down now, or evaluate the rule again later.
    enum Decision: Equatable {
        /// The daemon has been idle for the timeout and must shut down.
        case expired
        /// The rule for an idle daemon must be evaluated again at the given time; for `nil` when the timeout changes.
        case wait(until: ContinuousClock.Instant?)
    }

    /// Determines whether the idle daemon must shut down now, or when to evaluate the rule again.
    ///
    /// - Parameters:
    ///   - isBusy: whether a connection is open or a download makes progress.
    ///   - lastChange: when a connection was last opened or closed.
    ///   - timeout: how long the daemon has to be idle; `nil` never expires. A daemon that gets a timeout counts as idle
    ///     from then on.
    mutating func evaluate(
        isBusy: Bool, lastChange: ContinuousClock.Instant, timeout: Duration?, now: ContinuousClock.Instant
    ) -> Decision {
        guard let timeout else {
            idleSince = nil
            return .wait(until: nil)
        }
        let since = isBusy ? now : max(idleSince ?? now, lastChange)
        idleSince = since
        let end = since + timeout
        // Downloads do not wake the caller, so it has to poll.
        return now >= end ? .expired : .wait(until: min(end, now + min(timeout / 10, Self.maximumWait)))
    }

    private static let maximumWait = Duration.seconds(30)
}
