import FoundationEssentials
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

@Suite struct HostConcurrencyLimiterTests {
    private let start = HostConcurrencyLimiter.Instant.now

    private func began(
        _ manners: inout HostConcurrencyLimiter, _ name: String = "a", at now: HostConcurrencyLimiter.Instant
    ) -> Int {
        var count = 0
        while count < 1000, manners.begin(name, at: now) { count += 1 }
        return count
    }

    private func isBegun(_ manners: inout HostConcurrencyLimiter) -> Bool { manners.begin("a", at: start) }

    @Test func nobodyWaitsBeforeAServerRefuses() {
        var manners = HostConcurrencyLimiter()
        #expect(began(&manners, at: start) == 1000)
    }

    @Test func oneRefusalHalvesWhatRunsAndHoldsForAll() {
        var manners = HostConcurrencyLimiter()
        for _ in 0..<8 { #expect(isBegun(&manners)) }
        let now = start + .seconds(1)
        manners.ended("a", begun: start, isRefused: true, rest: .seconds(5), at: now)
        // The others that were sent with it are refused as well, and tell nothing new.
        for _ in 0..<3 { manners.ended("a", begun: start, isRefused: true, rest: .seconds(2), at: now) }
        #expect(began(&manners, at: now + .seconds(4)) == 0)
        #expect(manners.restsUntil("a", at: now) == now + .seconds(5))
        // Four still run.
        #expect(began(&manners, at: now + .seconds(5)) == 0)
        for _ in 0..<4 { manners.ended("a", begun: start, isRefused: false, rest: nil, at: now + .seconds(6)) }
        #expect(began(&manners, at: now + .seconds(6)) == 5)
        #expect(began(&manners, "b", at: now) == 1000)
    }

    @Test func whatEndsWellLetsMoreThroughUntilNothingIsHeldBack() {
        var manners = HostConcurrencyLimiter()
        #expect(isBegun(&manners))
        manners.ended("a", begun: start, isRefused: true, rest: nil, at: start)
        var (now, most) = (start, 0)
        while most < 1000 {
            now += .seconds(1)
            most = began(&manners, at: now)
            #expect(most > 0)
            for _ in 0..<most { manners.ended("a", begun: now, isRefused: false, rest: nil, at: now) }
        }
        // It takes some rounds, each with more than the one before.
        #expect(now - start > .seconds(10) && now - start < .seconds(10_000))
    }

    @Test func noServerIsLeftAloneForLong() {
        var manners = HostConcurrencyLimiter()
        #expect(isBegun(&manners))
        manners.ended("a", begun: start, isRefused: true, rest: .seconds(1 << 40), at: start)
        #expect(manners.restsUntil("a", at: start) == start + HostConcurrencyLimiter.longestRest)
    }

    @Test func othersOfTheSameServerWaitWithTheOneThatWasRefused() async throws {
        let origin = try Origin()
        origin.serve("/b", "b")
        origin.script("/a", [[.status(429, ["Retry-After": "1"])]])
        let engine = try TransferEngine()
        let begun = ContinuousClock.now
        let refused = try await engine.fetch(TransferRequest(origin.url("/a"))).response
        #expect(refused.status == 429)
        #expect(try await engine.fetch(TransferRequest(origin.url("/b"))).response.status == 200)
        // Time is what is tested: no sooner than the server said.
        #expect(ContinuousClock.now - begun > .seconds(1))
    }

    @Test func oneMoreConnectionForAFileDoesNotWait() throws {
        var waiting = WaitingTransfers()
        let url = try #require(URL(string: "http://a.example/"))
        func begin(isExtra: Bool) -> WaitingTransfers.Turn {
            let job = TransferJob(TransferRequest(url), isExtra: isExtra)
            return waiting.begin(.init(job: job, makeSink: { preconditionFailure("nothing begins") }), at: start)
        }
        let first = TransferJob(TransferRequest(url))
        #expect(begin(isExtra: false) == .now && begin(isExtra: true) == .now)
        let refusal = TransferResponse(status: 429, headers: [:], effectiveURL: url)
        waiting.ended(first, begun: start, refusal, at: start)
        #expect(begin(isExtra: true) == .never)
        #expect(begin(isExtra: false) == .later)
        waiting.ended(first, begun: start, at: start)
        #expect(waiting.admit(at: start).count == 1)
        #expect(waiting.admit(at: start).isEmpty)
    }

    @Test func whoWaitsForItsTurnCanBeCancelledAndIsToldOfTheEnd() async throws {
        let origin = try Origin()
        origin.always("/a", .status(429, ["Retry-After": "200"]))
        let engine = try TransferEngine()
        _ = try await engine.fetch(TransferRequest(origin.url("/a")))
        let cancelled = Task { try await engine.fetch(TransferRequest(origin.url("/a"))) }
        let stopped = Task { try await engine.fetch(TransferRequest(origin.url("/a"))) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // Other servers are asked meanwhile.
        let other = try Origin()
        other.serve("/b", "b")
        #expect(try await engine.fetch(TransferRequest(other.url("/b"))).response.status == 200)
        await engine.shutdown()
        let error = await transferError { _ = try await stopped.value }
        #expect(error?.code == .transferStopped)
        #expect(origin.requests.count == 1)
    }
}
