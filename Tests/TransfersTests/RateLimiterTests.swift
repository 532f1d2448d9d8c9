import StoreModel
import StoreTestSupport
import Testing

@testable import StoreTransfers

@Suite struct RateLimiterTests {
    /// Simulates transfers that receive as much as permitted, and returns the number of bytes of each.
    private func run(
        _ limiter: inout RateLimiter, _ transfers: [(id: Int, name: String)], for time: Duration,
        from start: RateLimiter.Instant
    ) -> [Int: Int] {
        var got: [Int: Int] = [:]
        var now = start
        while now < start + time {
            for transfer in transfers where limiter.wait(transfer.id, of: transfer.name, at: now) == nil {
                limiter.received(transfer.id, of: transfer.name, 16 << 10)
                got[transfer.id, default: 0] += 16 << 10
            }
            now += .milliseconds(1)
        }
        return got
    }

    private func isAbout(_ count: Int?, _ wanted: Int) -> Bool {
        abs(Double(count ?? 0) - Double(wanted)) < 0.1 * Double(wanted)
    }

    @Test func `without a limit no transfer waits`() {
        var limiter = RateLimiter()
        limiter.transferDidBegin(1, of: "", rate: nil, at: .now)
        limiter.received(1, of: "", 1 << 30)
        #expect(limiter.wait(1, of: "", at: .now) == nil)
    }

    @Test func `all transfers together keep the total limit`() {
        let start = RateLimiter.Instant.now
        var limiter = RateLimiter()
        limiter.set(BandwidthLimits(total: 1_000_000), at: start)
        let transfers = (1...5).map { (id: $0, name: "") }
        for transfer in transfers { limiter.transferDidBegin(transfer.id, of: "", rate: nil, at: start) }
        let got = run(&limiter, transfers, for: .seconds(10), from: start)
        #expect(isAbout(got.values.reduce(0, +), 10_000_000))
    }

    @Test func `a class gets its share and what other classes leave`() {
        let start = RateLimiter.Instant.now
        var limiter = RateLimiter()
        limiter.set(BandwidthLimits(total: 1_000_000, shares: ["sticker": 75, "skin": 25]), at: start)
        limiter.transferDidBegin(1, of: "sticker", rate: nil, at: start)
        limiter.transferDidBegin(2, of: "skin", rate: nil, at: start)
        let both = run(&limiter, [(1, "sticker"), (2, "skin")], for: .seconds(10), from: start)
        #expect(isAbout(both[1], 7_500_000) && isAbout(both[2], 2_500_000))
        limiter.transferDidEnd(1, of: "sticker", at: start + .seconds(10))
        let alone = run(&limiter, [(2, "skin")], for: .seconds(10), from: start + .seconds(10))
        #expect(isAbout(alone[2], 10_000_000))
    }

    @Test func `a transfer keeps its own limit while the total limit changes`() {
        let start = RateLimiter.Instant.now
        var limiter = RateLimiter()
        limiter.transferDidBegin(1, of: "", rate: 200_000, at: start)
        #expect(isAbout(run(&limiter, [(1, "")], for: .seconds(10), from: start)[1], 2_000_000))
        limiter.set(BandwidthLimits(total: 100_000), at: start + .seconds(10))
        #expect(isAbout(run(&limiter, [(1, "")], for: .seconds(20), from: start + .seconds(10))[1], 2_000_000))
        limiter.set(BandwidthLimits(), at: start + .seconds(30))
        #expect(isAbout(run(&limiter, [(1, "")], for: .seconds(10), from: start + .seconds(30))[1], 2_000_000))
    }

    @Test func `transfers of one file share its limit`() {
        let start = RateLimiter.Instant.now
        var limiter = RateLimiter()
        for _ in 1...3 { limiter.transferDidBegin(1, of: "", rate: 300_000, at: start) }
        limiter.transferDidEnd(1, of: "", at: start)
        let got = run(&limiter, [(1, ""), (1, "")], for: .seconds(10), from: start)
        #expect(isAbout(got[1], 3_000_000))
    }

    @Test func `a download keeps its rate limit`() async throws {
        let origin = try Origin()
        let bytes = OriginBytes.random(600_000)
        origin.serve("/pack.zip", bytes)
        let engine = TransferEngine()
        let clock = ContinuousClock()
        // The subject of the test is time: not faster than the limit, except for one burst.
        for limit in [
            TransferRequest(origin.url("/pack.zip"), rate: TransferRate(1_000_000)),
            TransferRequest(origin.url("/pack.zip")),
        ] {
            if limit.rate == nil { engine.setLimits(BandwidthLimits(total: 1_000_000)) }
            let partial = PartialFile(try scratchFile())
            let time = try await clock.measure { _ = try await engine.download(limit, into: partial) }
            #expect(time > .milliseconds(500))
            #expect(try partial.file.content == bytes)
        }
    }

    @Test func `a new rate applies to running transfers`() {
        let start = RateLimiter.Instant.now
        var limiter = RateLimiter()
        limiter.transferDidBegin(1, of: "", rate: nil, at: start)
        limiter.received(1, of: "", 1 << 30)
        #expect(limiter.wait(1, of: "", at: start) == nil)
        limiter.setRate(100_000, of: 1, at: start)
        let slow = run(&limiter, [(1, "")], for: .seconds(10), from: start)
        #expect(isAbout(slow[1], 1_000_000))
        limiter.setRate(1_000_000, of: 1, at: start + .seconds(10))
        let fast = run(&limiter, [(1, "")], for: .seconds(10), from: start + .seconds(10))
        #expect(isAbout(fast[1], 10_000_000))
        limiter.setRate(nil, of: 1, at: start + .seconds(20))
        #expect(limiter.wait(1, of: "", at: start + .seconds(20)) == nil)
    }

    @Test(arguments: [true, false])
    func `a paused transfer continues when its limit is removed`(ofAll: Bool) async throws {
        let origin = try Origin()
        let bytes = OriginBytes.random(600_000)
        origin.serve("/pack.zip", bytes)
        let engine = TransferEngine()
        // At one byte per second, it would take a week.
        let rate = TransferRate(ofAll ? nil : 1)
        if ofAll { engine.setLimits(BandwidthLimits(total: 1)) }
        let partial = PartialFile(try scratchFile())
        async let done = engine.download(TransferRequest(origin.url("/pack.zip"), rate: rate), into: partial)
        while partial.size == 0 && origin.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        if ofAll { engine.setLimits(BandwidthLimits()) } else { engine.setRate(nil, of: rate) }
        #expect(try await done.size == bytes.count)
        #expect(try partial.file.content == bytes)
    }
}
