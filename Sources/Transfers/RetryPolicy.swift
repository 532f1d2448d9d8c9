/// How often a transfer is tried, and how long to wait in between.
public struct RetryPolicy: Sendable, Hashable {
    /// How often in all; at least 1.
    public var attempts: Int
    /// Before the second attempt; doubled before each further one.
    public var delay: Duration
    /// No wait is longer, whatever the server asks for.
    public var longestDelay: Duration

    public init(attempts: Int = 4, delay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(300)) {
        self.attempts = max(1, attempts)
        self.delay = delay
        self.longestDelay = longestDelay
    }

    /// The wait after an attempt failed; `nil` where it was the last.
    ///
    /// - Parameters:
    ///   - attempt: the one that failed, counted from 1.
    ///   - retryAfter: what the server asked for; it is not asked sooner.
    ///   - jitter: from 0 to 1, so that many clients that failed together do not come back together: it takes away up
    ///     to half of the wait.
    public func wait(after attempt: Int, retryAfter: Duration?, jitter: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let doubled = delay * (1 << min(attempt - 1, 20))
        let spread = min(doubled, longestDelay) * (1 - jitter / 2)
        return min(max(spread, retryAfter ?? .zero), longestDelay)
    }
}
