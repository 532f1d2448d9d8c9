import StoreTransfers
import Testing

@Suite struct RateMeterTests {
    @Test func `a steady rate is measured exactly`() {
        var meter = RateMeter()
        for second in 0...20 { meter.add(bytes: second * 1000, at: Double(second)) }
        #expect(abs((meter.rate ?? 0) - 1000) < 0.001)
    }

    @Test func `a stall lowers the rate slowly`() {
        var meter = RateMeter()
        for second in 0...10 { meter.add(bytes: second * 1000, at: Double(second)) }
        meter.add(bytes: 10_000, at: 11)
        let rate = meter.rate ?? 0
        #expect(rate > 500 && rate < 1000)
        for second in 12...60 { meter.add(bytes: 10_000, at: Double(second)) }
        #expect((meter.rate ?? 1) < 1)
    }

    @Test func `a single report has no rate`() {
        var meter = RateMeter()
        meter.add(bytes: 5, at: 0)
        #expect(meter.rate == nil)
        #expect(meter.rate(at: 1) == nil)
    }

    @Test func `fewer bytes reset the meter`() {
        var meter = RateMeter()
        meter.add(bytes: 0, at: 0)
        meter.add(bytes: 1000, at: 1)
        meter.add(bytes: 10, at: 2)
        #expect(meter.rate == nil)
        meter.add(bytes: 20, at: 3)
        #expect(meter.rate == 10)
    }

    @Test func `the rate decays without reports`() {
        var meter = RateMeter()
        for second in 0...10 { meter.add(bytes: second * 1000, at: Double(second)) }
        #expect(meter.rate(at: 10) == meter.rate)
        #expect(meter.rate(at: 10.9) == meter.rate)
        let (soon, later) = (meter.rate(at: 13) ?? 0, meter.rate(at: 60) ?? 1)
        #expect(soon > 400 && soon < 600)
        #expect(later < 1)
        // The reported rate decays, not the measured one.
        meter.add(bytes: 11_000, at: 11)
        #expect(abs((meter.rate ?? 0) - 1000) < 0.001)
    }
}
