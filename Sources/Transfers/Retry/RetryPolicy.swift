/// The number of attempts of a transfer, and the delays between them: exponential backoff with jitter.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts of a transfer, the first included; at least 1.
    public var attempts: Int
    /// The delay before a transfer's second attempt, which is doubled before each further attempt.
    public var delay: Duration
    /// The longest delay between two attempts of a transfer, whatever the server's `Retry-After` says.
    public var longestDelay: Duration

    /// Creates a policy for the attempts of a transfer; fewer than one attempt counts as one.
    public init(attempts: Int = 4, delay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(300)) {
        self.attempts = max(1, attempts)
        self.delay = delay
        self.longestDelay = longestDelay
    }

    /// Returns the delay after a failed attempt of a transfer; `nil` where that attempt was the last.
    ///
    /// - Parameters:
    ///   - attempt: the number of the attempt that failed, counted from 1.
    ///   - retryAfter: the server's `Retry-After`, the shortest delay; `nil` where there is none.
    ///   - jitter: a random number from 0 to 1 that shortens the delay by up to half, so that clients that failed
    ///     together do not retry together.
    public func wait(after attempt: Int, retryAfter: Duration?, jitter: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let doubled = delay * (1 << min(attempt - 1, 20))
        let spread = min(doubled, longestDelay) * (1 - jitter / 2)
        return min(max(spread, retryAfter ?? .zero), longestDelay)
    }
}
