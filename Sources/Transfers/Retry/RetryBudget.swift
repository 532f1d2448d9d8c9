/// The remaining attempts of one transfer, counted from the last attempt that made progress.
///
/// A download that makes progress is continued, however often its connection breaks.
public struct RetryBudget: Sendable, Hashable {
    /// The policy that sets the number of attempts and the delays.
    public let policy: RetryPolicy
    /// Consecutive attempts without progress, including the one that failed last.
    private var failures = 0
    /// The largest number of bytes so far.
    ///
    /// A download that begins again at the first byte makes progress only beyond it; otherwise it could begin again for
    /// ever.
    private var reached: Int
    private let step: Int

    /// Creates the budget of a transfer.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes before the first attempt.
    ///   - step: the number of further bytes that count as progress; fewer do not.
    public init(_ policy: RetryPolicy, at bytes: Int = 0, step: Int = 1) {
        self.policy = policy
        self.step = max(1, step)
        reached = bytes
    }

    /// Records a failed attempt and returns the delay before the next; `nil` where it was the last.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes now.
    ///   - retryAfter: as in ``RetryPolicy/wait(after:retryAfter:jitter:)``.
    ///   - jitter: as in ``RetryPolicy/wait(after:retryAfter:jitter:)``.
    public mutating func wait(afterFailureAt bytes: Int, retryAfter: Duration?, jitter: Double) -> Duration? {
        failures = bytes >= reached + step ? 1 : failures + 1
        reached = max(reached, bytes)
        return policy.wait(after: failures, retryAfter: retryAfter, jitter: jitter)
    }
}
