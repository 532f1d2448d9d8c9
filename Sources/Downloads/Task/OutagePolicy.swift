import StoreTransfers

/// The times for which a download tries to reach a server that can't be reached, and the delays between attempts.
///
/// A server that restarts refuses connections for seconds or minutes. The number of attempts says nothing about that
/// time, so the attempts are limited by time.
public struct OutagePolicy: Sendable, Hashable {
    /// The time for which a server is tried that has not answered in the download yet: its address may be wrong.
    public var timeToFirstAnswer: Duration
    /// The time for which a server is tried again that has answered in the download before.
    public var timeAfterAnswer: Duration
    /// The delay before the second attempt to reach a server, which is doubled before each further one.
    public var delay: Duration
    /// The longest delay between two attempts to reach a server; more than ten seconds count as ten.
    public var longestDelay: Duration

    /// The longest delay that is useful, because a server that is back should not wait longer for its clients.
    static let longestUsefulDelay = Duration.seconds(10)
    /// The shortest delay, without which a download would do nothing but connect.
    static let shortestDelay = Duration.milliseconds(100)

    /// Creates a policy for servers that can't be reached.
    public init(
        timeToFirstAnswer: Duration = .seconds(10), timeAfterAnswer: Duration = .seconds(600),
        delay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(300)
    ) {
        self.timeToFirstAnswer = timeToFirstAnswer
        self.timeAfterAnswer = timeAfterAnswer
        self.delay = delay
        self.longestDelay = longestDelay
    }
}

/// The remaining time for which a download tries to reach its server, counted from the first failure of an outage.
struct OutageBudget: Sendable {
    private let policy: OutagePolicy
    /// The time of the first failure to reach the server since it was reached last; `nil` if there was none.
    private var beganAt: Duration?
    /// The number of failures to reach the server since it was reached last.
    private var failures = 0

    init(_ policy: OutagePolicy) { self.policy = policy }

    /// Records that the server was reached, which ends the outage.
    mutating func serverDidAnswer() { (beganAt, failures) = (nil, 0) }

    /// Records a failure to reach the server and returns the delay before the next attempt; `nil` if it was the last.
    ///
    /// - Parameters:
    ///   - now: the time of the failure since any fixed moment.
    ///   - hasAnswered: whether the server has answered in this download before.
    ///   - jitter: a random number from 0 to 1 that shortens the delay by up to half.
    mutating func delay(afterFailureAt now: Duration, hasAnswered: Bool, jitter: Double) -> Duration? {
        let start = beganAt ?? now
        beganAt = start
        let remaining = (hasAnswered ? policy.timeAfterAnswer : policy.timeToFirstAnswer) - (now - start)
        guard remaining > .zero else { return nil }
        failures += 1
        let backoff = RetryPolicy(
            attempts: .max, delay: policy.delay, longestDelay: min(policy.longestDelay, OutagePolicy.longestUsefulDelay)
        )
        let delay = backoff.wait(after: failures, retryAfter: nil, jitter: jitter) ?? .zero
        return min(max(delay, OutagePolicy.shortestDelay), remaining)
    }
}
