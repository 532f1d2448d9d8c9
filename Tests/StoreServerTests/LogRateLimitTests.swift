import Testing

@testable import StoreServer

@Suite struct LogRateLimitTests {
    @Test func `a repeated message is written once in each interval`() {
        let start = ContinuousClock.now
        var limit = LogRateLimit()
        let permitted = [0, 0, 0.5, 1, 1.5, 10].map { limit.permitsMessage(at: start + LogRateLimit.interval * $0) }
        #expect(permitted == [true, false, false, true, false, true])
    }
}
