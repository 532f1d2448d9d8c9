import FoundationEssentials
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

@Suite struct HostConcurrencyLimiterTests {
    private let start = HostConcurrencyLimiter.Instant.now

    private func began(
        _ limiter: inout HostConcurrencyLimiter, _ name: String = "a", at now: HostConcurrencyLimiter.Instant
    ) -> Int {
        var count = 0
        while count < 1000, limiter.begin(name, at: now) { count += 1 }
        return count
    }

    private func isBegun(_ limiter: inout HostConcurrencyLimiter) -> Bool { limiter.begin("a", at: start) }

    @Test func `no transfer waits before the host throttles one`() {
        var limiter = HostConcurrencyLimiter()
        #expect(began(&limiter, at: start) == 1000)
    }

    @Test func `one throttled transfer halves the limit for all`() {
        var limiter = HostConcurrencyLimiter()
        for _ in 0..<8 { #expect(isBegun(&limiter)) }
        let now = start + .seconds(1)
        limiter.transferDidEnd("a", startedAt: start, wasThrottled: true, retryAfter: .seconds(5), at: now)
        // The other transfers that started with it are throttled as well, which does not lower the limit again.
        for _ in 0..<3 {
            limiter.transferDidEnd("a", startedAt: start, wasThrottled: true, retryAfter: .seconds(2), at: now)
        }
        #expect(began(&limiter, at: now + .seconds(4)) == 0)
        #expect(limiter.retryTime("a", at: now) == now + .seconds(5))
        // Four transfers are still running.
        #expect(began(&limiter, at: now + .seconds(5)) == 0)
        for _ in 0..<4 {
            limiter.transferDidEnd("a", startedAt: start, wasThrottled: false, retryAfter: nil, at: now + .seconds(6))
        }
        #expect(began(&limiter, at: now + .seconds(6)) == 5)
        #expect(began(&limiter, "b", at: now) == 1000)
    }

    @Test func `successful transfers raise the limit until it is removed`() {
        var limiter = HostConcurrencyLimiter()
        #expect(isBegun(&limiter))
        limiter.transferDidEnd("a", startedAt: start, wasThrottled: true, retryAfter: nil, at: start)
        var (now, most) = (start, 0)
        while most < 1000 {
            now += .seconds(1)
            most = began(&limiter, at: now)
            #expect(most > 0)
            for _ in 0..<most {
                limiter.transferDidEnd("a", startedAt: now, wasThrottled: false, retryAfter: nil, at: now)
            }
        }
        // The limit grows by about one in each round of a second, up to 512; in the next round there is none.
        #expect(now - start == .seconds(513))
    }

    @Test func `a long Retry-After is cut to the maximum`() {
        var limiter = HostConcurrencyLimiter()
        #expect(isBegun(&limiter))
        limiter.transferDidEnd("a", startedAt: start, wasThrottled: true, retryAfter: .seconds(1 << 40), at: start)
        #expect(limiter.retryTime("a", at: start) == start + HostConcurrencyLimiter.maximumRetryAfter)
    }

    @Test func `transfers to the same host wait for its Retry-After`() async throws {
        let origin = try Origin()
        origin.serve("/b", "b")
        origin.script("/a", [[.status(429, ["Retry-After": "1"])]])
        let engine = TransferEngine()
        let begun = ContinuousClock.now
        let refused = try await engine.fetch(TransferRequest(origin.url("/a"))).response
        #expect(refused.status == 429)
        #expect(try await engine.fetch(TransferRequest(origin.url("/b"))).response.status == 200)
        // The subject of the test is time: not before Retry-After.
        #expect(ContinuousClock.now - begun > .seconds(1))
    }

    @Test func `an additional connection for a file is refused instead of queued`() throws {
        var queue = HostWaitQueue()
        let url = try #require(URL(string: "http://a.example/"))
        func begin(isAdditional: Bool) -> HostWaitQueue.Admission {
            let job = TransferJob(TransferRequest(url), isAdditionalConnection: isAdditional)
            return queue.begin(.init(job: job, makeSink: { preconditionFailure("nothing begins") }), at: start)
        }
        let first = TransferJob(TransferRequest(url))
        #expect(begin(isAdditional: false) == .admitted && begin(isAdditional: true) == .admitted)
        let refusal = TransferResponse(status: 429, headers: [:], effectiveURL: url)
        queue.transferDidEnd(first, startedAt: start, refusal, at: start)
        #expect(begin(isAdditional: true) == .refused)
        #expect(begin(isAdditional: false) == .queued)
        queue.transferDidEnd(first, startedAt: start, at: start)
        #expect(queue.admit(at: start).transfers.count == 1)
        #expect(queue.admit(at: start).transfers.isEmpty)
    }

    @Test func `a waiting transfer can be cancelled and ends with the engine`() async throws {
        let origin = try Origin()
        origin.always("/a", .status(429, ["Retry-After": "200"]))
        let engine = TransferEngine()
        _ = try await engine.fetch(TransferRequest(origin.url("/a")))
        let cancelled = Task { try await engine.fetch(TransferRequest(origin.url("/a"))) }
        let stopped = Task { try await engine.fetch(TransferRequest(origin.url("/a"))) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // Other hosts are not affected.
        let other = try Origin()
        other.serve("/b", "b")
        #expect(try await engine.fetch(TransferRequest(other.url("/b"))).response.status == 200)
        await engine.shutdown()
        let error = await transferError { _ = try await stopped.value }
        #expect(error?.code == .transferStopped)
        #expect(origin.requests.count == 1)
    }
}
