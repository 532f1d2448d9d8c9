import StoreTransfers
import Testing

@Suite struct RetryPolicyTests {
    @Test func `jitter shortens a delay by at most half, and Retry-After is a minimum`() {
        let policy = RetryPolicy(attempts: 10, delay: .seconds(4), longestDelay: .seconds(20))
        #expect(policy.wait(after: 1, retryAfter: nil, jitter: 0) == .seconds(4))
        #expect(policy.wait(after: 1, retryAfter: nil, jitter: 1) == .seconds(2))
        #expect(policy.wait(after: 2, retryAfter: nil, jitter: 0) == .seconds(8))
        #expect(policy.wait(after: 1, retryAfter: .seconds(9), jitter: 0) == .seconds(9))
    }

    @Test func `no delay exceeds the maximum, whatever the number of failures or Retry-After`() {
        let policy = RetryPolicy(attempts: 1000, delay: .seconds(4), longestDelay: .seconds(20))
        for attempt in [4, 10, 63, 64, 65, 999] {
            #expect(policy.wait(after: attempt, retryAfter: nil, jitter: 0) == .seconds(20))
        }
        #expect(policy.wait(after: 1, retryAfter: .seconds(86_400), jitter: 0) == .seconds(20))
        #expect(policy.wait(after: 1000, retryAfter: nil, jitter: 0) == nil)
    }

    @Test func `attempts are counted from the last one that received new bytes`() {
        let policy = RetryPolicy(attempts: 3, delay: .seconds(1), longestDelay: .seconds(60))
        var budget = RetryBudget(policy, at: 10)
        func wait(_ bytes: Int) -> Duration? {
            budget.wait(afterFailureAt: bytes, retryAfter: nil, jitter: 0)
        }
        #expect(wait(10) == .seconds(1))
        #expect(wait(10) == .seconds(2))
        for bytes in 11...40 { #expect(wait(bytes) == .seconds(1)) }
        #expect(wait(40) == .seconds(2))
        #expect(wait(40) == nil)
        // A download that restarts at the first byte and never gets further than before fails eventually.
        budget = RetryBudget(policy)
        #expect([30, 10, 20].map { wait($0) } == [.seconds(1), .seconds(2), nil])
    }

    @Test func `the number of bytes that count as progress may be any`() {
        var budget = RetryBudget(RetryPolicy(attempts: 3), at: 100, step: .max)
        let waits = [200, 300, 400].map { budget.wait(afterFailureAt: $0, retryAfter: nil, jitter: 0) != nil }
        #expect(waits == [true, true, false])
    }

    @Test func `a policy permits at least one attempt`() {
        #expect(RetryPolicy(attempts: 0).attempts == 1)
        #expect(RetryPolicy(attempts: 1).wait(after: 1, retryAfter: nil, jitter: 0) == nil)
    }
}
