/// The remaining attempts of one transfer, counted from the last attempt that made progress.
///
/// A transfer that makes progress is continued, however often its connection breaks.
public struct RetryBudget: Sendable, Hashable {
    /// The policy that sets the number of attempts of the transfer and the delays.
    public let policy: RetryPolicy
    /// The number of consecutive failed attempts of the transfer, of which only the first may have made progress.
    private var failures = 0
    /// The largest number of bytes that the transfer has reached so far.
    ///
    /// A download that starts over at the first byte makes progress only beyond it; otherwise it could start over for
    /// ever.
    private var reached: Int
    private let step: Int

    /// Creates the remaining attempts of one transfer.
    ///
    /// - Parameters:
    ///   - policy: the number of attempts without progress, and the delays.
    ///   - bytes: the number of bytes before the first attempt.
    ///   - step: the number of further bytes that count as progress; less than 1 counts as 1.
    public init(_ policy: RetryPolicy, at bytes: Int = 0, step: Int = 1) {
        self.policy = policy
        self.step = max(1, step)
        reached = bytes
    }

    /// Records a failed attempt of the transfer and returns the delay before the next one; `nil` where it was the last.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes that are there now.
    ///   - retryAfter: the server's `Retry-After`, the shortest delay; `nil` where there is none.
    ///   - jitter: a random number from 0 to 1 that shortens the delay by up to half.
    public mutating func wait(afterFailureAt bytes: Int, retryAfter: Duration?, jitter: Double) -> Duration? {
        failures = bytes - reached >= step ? 1 : failures + 1
        reached = max(reached, bytes)
        return policy.wait(after: failures, retryAfter: retryAfter, jitter: jitter)
    }
}
