import Testing

@testable import StoreServer

@Suite struct IdleTimeoutTests {
    let start = ContinuousClock.now

    @Test func aDaemonThatNobodyEverWantedEnds() {
        var rule = IdleTimeout(now: start)
        #expect(
            rule.look(isBusy: false, lastChange: start, timeout: .seconds(100), now: start)
                == .wait(until: start + .seconds(10)))
        #expect(
            rule.look(isBusy: false, lastChange: start, timeout: .seconds(100), now: start + .seconds(95))
                == .wait(until: start + .seconds(100)))
        #expect(rule.look(isBusy: false, lastChange: start, timeout: .seconds(100), now: start + .seconds(100)) == .end)
    }

    @Test func whatRunsKeepsItAndTheTimeBeginsAnewAfterIt() {
        var rule = IdleTimeout(now: start)
        _ = rule.look(isBusy: true, lastChange: start, timeout: .seconds(100), now: start + .seconds(500))
        #expect(rule.look(isBusy: false, lastChange: start, timeout: .seconds(100), now: start + .seconds(599)) != .end)
        #expect(rule.look(isBusy: false, lastChange: start, timeout: .seconds(100), now: start + .seconds(600)) == .end)
    }

    @Test func aConnectionBetweenTwoLooksCountsToo() {
        var rule = IdleTimeout(now: start)
        _ = rule.look(isBusy: false, lastChange: start, timeout: .seconds(100), now: start + .seconds(90))
        #expect(
            rule.look(
                isBusy: false, lastChange: start + .seconds(95), timeout: .seconds(100), now: start + .seconds(100))
                != .end)
        #expect(
            rule.look(
                isBusy: false, lastChange: start + .seconds(95), timeout: .seconds(100), now: start + .seconds(195))
                == .end)
    }

    @Test func withoutATimeoutItStaysButGoesOnLooking() {
        var rule = IdleTimeout(now: start)
        let later = start + .seconds(1_000_000)
        #expect(
            rule.look(isBusy: false, lastChange: start, timeout: nil, now: later) == .wait(until: later + .seconds(30)))
        // It is switched on while nobody is there.
        #expect(rule.look(isBusy: false, lastChange: start, timeout: .seconds(100), now: later) == .end)
    }
}
