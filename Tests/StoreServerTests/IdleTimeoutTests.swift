import Testing

@testable import StoreServer

@Suite struct IdleTimeoutTests {
    let start = ContinuousClock.now

    @Test func `a daemon without any connection expires`() {
        var rule = IdleTimeout(now: start)
        #expect(
            rule.evaluate(isBusy: false, lastChange: start, timeout: .seconds(100), now: start)
                == .wait(until: start + .seconds(10)))
        #expect(
            rule.evaluate(isBusy: false, lastChange: start, timeout: .seconds(100), now: start + .seconds(95))
                == .wait(until: start + .seconds(100)))
        #expect(
            rule.evaluate(isBusy: false, lastChange: start, timeout: .seconds(100), now: start + .seconds(100))
                == .expired)
    }

    @Test func `the idle time begins after the last activity`() {
        var rule = IdleTimeout(now: start)
        _ = rule.evaluate(isBusy: true, lastChange: start, timeout: .seconds(100), now: start + .seconds(500))
        #expect(
            rule.evaluate(isBusy: false, lastChange: start, timeout: .seconds(100), now: start + .seconds(599))
                != .expired)
        #expect(
            rule.evaluate(isBusy: false, lastChange: start, timeout: .seconds(100), now: start + .seconds(600))
                == .expired)
    }

    @Test func `a connection between two evaluations counts as activity`() {
        var rule = IdleTimeout(now: start)
        _ = rule.evaluate(isBusy: false, lastChange: start, timeout: .seconds(100), now: start + .seconds(90))
        #expect(
            rule.evaluate(
                isBusy: false, lastChange: start + .seconds(95), timeout: .seconds(100), now: start + .seconds(100))
                != .expired)
        #expect(
            rule.evaluate(
                isBusy: false, lastChange: start + .seconds(95), timeout: .seconds(100), now: start + .seconds(195))
                == .expired)
    }

    @Test func `without a timeout nothing is evaluated until there is one`() {
        var rule = IdleTimeout(now: start)
        let later = start + .seconds(1_000_000)
        #expect(rule.evaluate(isBusy: false, lastChange: start, timeout: nil, now: start) == .wait(until: nil))
        // What happened meanwhile is not known.
        #expect(
            rule.evaluate(isBusy: false, lastChange: start, timeout: .seconds(100), now: later)
                == .wait(until: later + .seconds(10)))
        #expect(
            rule.evaluate(isBusy: false, lastChange: start, timeout: .seconds(100), now: later + .seconds(100))
                == .expired)
    }
}
