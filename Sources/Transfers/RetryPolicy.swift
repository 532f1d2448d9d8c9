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

/// The attempts of one transfer against a policy: counted from the last that brought bytes. However often a connection
/// breaks, a file that comes on is waited for.
public struct RetryBudget: Sendable, Hashable {
    public let policy: RetryPolicy
    /// Attempts in a row that brought nothing, the one that failed last included.
    private var failures = 0
    /// The most bytes that were there. One that begins again at the first byte has to get further than any before it,
    /// else it could go on for ever without coming to the end.
    private var reached: Int
    private let step: Int

    /// - Parameters:
    ///   - bytes: how many are there before the first attempt.
    ///   - step: by how many it has to come further to count as coming on; one that crawls does not.
    public init(_ policy: RetryPolicy, at bytes: Int = 0, step: Int = 1) {
        self.policy = policy
        self.step = max(1, step)
        reached = bytes
    }

    /// The wait after an attempt failed; `nil` where it was the last.
    ///
    /// - Parameters:
    ///   - bytes: how many are there now.
    ///   - retryAfter: as for ``RetryPolicy/wait(after:retryAfter:jitter:)``.
    ///   - jitter: from 0 to 1, by chance.
    public mutating func wait(afterFailureAt bytes: Int, retryAfter: Duration?, jitter: Double) -> Duration? {
        failures = bytes >= reached + step ? 1 : failures + 1
        reached = max(reached, bytes)
        return policy.wait(after: failures, retryAfter: retryAfter, jitter: jitter)
    }
}
