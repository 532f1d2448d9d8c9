import Testing

@testable import StoreServer

@Suite struct LogRateLimitTests {
    @Test func `a repeated message is written once in each interval`() {
        let start = ContinuousClock.now
        var limit = LogRateLimit()
        #expect(limit.permitsMessage(at: start))
        #expect(!limit.permitsMessage(at: start))
        #expect(!limit.permitsMessage(at: start + LogRateLimit.interval / 2))
        #expect(limit.permitsMessage(at: start + LogRateLimit.interval))
        #expect(!limit.permitsMessage(at: start + LogRateLimit.interval * 3 / 2))
        #expect(limit.permitsMessage(at: start + LogRateLimit.interval * 10))
    }
}
