import Foundation
import StoreTestSupport
import Testing

@Suite struct LinearTrendTests {
    /// Returns measurements of an hour: a line and noise, in which each error has a part of the previous one.
    private func hour(
        growing slope: Double, noise: Double, correlation: Double = 0, count: Int = 120, seed: UInt64
    ) -> [LinearTrend.Point] {
        var random = SeededGenerator(seed: seed)
        // Twelve uniform numbers have the variance 1, and their sum is nearly normal.
        func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + .random(in: 0..<1, using: &random) } }
        var error = normal()
        return (0..<count).map { number in
            let time = Double(number) / Double(count)
            defer { error = correlation * error + (1 - correlation * correlation).squareRoot() * normal() }
            return .init(time: time, value: 50e6 + slope * time + noise * error)
        }
    }

    @Test func `the slope of a line is exact`() throws {
        let trend = try #require(LinearTrend((0..<10).map { .init(time: Double($0), value: 7 + 3 * Double($0)) }))
        #expect(trend.slope == 3 && trend.margin == 0)
    }

    @Test func `slope and margin are those of a textbook's formulas`() throws {
        // Computed by hand: the errors of the fit are 0.3, -0.9, 0.9, -0.3, and not correlated positively.
        let trend = try #require(
            LinearTrend([(0, 1), (1, 1), (2, 4), (3, 4)].map { .init(time: Double($0.0), value: Double($0.1)) }))
        #expect(abs(trend.slope - 1.2) < 1e-12)
        #expect(abs(trend.margin - LinearTrend.student(2) * (1.8 / 2 / 5).squareRoot()) < 1e-12)
    }

    /// Tables of Student's distribution, one-sided, 99 %.
    @Test(arguments: [(5.0, 3.365), (10, 2.764), (30, 2.457), (120, 2.358)])
    func `the quantile of Student's distribution is that of its tables`(freedom: Double, quantile: Double) {
        #expect(abs(LinearTrend.student(freedom) - quantile) < 0.002)
    }

    @Test func `there is no trend of measurements at fewer than three times`() {
        #expect(LinearTrend([]) == nil)
        #expect(LinearTrend([.init(time: 0, value: 1), .init(time: 1, value: 2), .init(time: 1, value: 3)]) == nil)
    }

    @Test func `three measurements that are not on a line decide nothing`() throws {
        let trend = try #require(LinearTrend([0, 1, 0].enumerated().map { .init(time: Double($0), value: $1) }))
        #expect(trend.verdict(limit: 0.1) == .uncertain)
    }

    @Test func `the true slope is within the margin, whether errors are independent or not`() throws {
        for correlation in [0, 0.3, 0.6] {
            var missed = 0
            for seed in 0..<1000 as Range<UInt64> {
                let points = hour(growing: 70_000, noise: 200_000, correlation: correlation, seed: seed)
                let trend = try #require(LinearTrend(points))
                if abs(trend.slope - 70_000) > trend.margin { missed += 1 }
            }
            // 2 % are expected; the estimated correlation makes it a little more. The seeds are fixed.
            #expect(missed < 50, "\(correlation)")
        }
    }

    /// How often each verdict is given on 500 hours.
    private func verdicts(growing slope: Double, noise: Double, limit: Double) throws -> [LinearTrend.Verdict: Int] {
        var counts: [LinearTrend.Verdict: Int] = [:]
        for seed in 0..<500 as Range<UInt64> {
            let points = hour(growing: slope, noise: noise, correlation: 0.3, seed: seed)
            counts[try #require(LinearTrend(points)).verdict(limit: limit), default: 0] += 1
        }
        return counts
    }

    // The bounds are those of the confidence, 1 % for each error, with room for the estimated correlation.

    @Test func `a growth of 100 kB an hour is seen and not called steady`() throws {
        let counts = try verdicts(growing: 100_000, noise: 40_000, limit: 90_000)
        #expect(counts[.grows, default: 0] > 475 && counts[.steady, default: 0] < 15, "\(counts)")
    }

    @Test func `memory that only fluctuates is steady`() throws {
        let counts = try verdicts(growing: 0, noise: 40_000, limit: 100_000)
        #expect(counts[.steady, default: 0] > 475 && counts[.grows, default: 0] < 15, "\(counts)")
    }

    @Test func `a growth within fluctuations that hide it is uncertain`() throws {
        let counts = try verdicts(growing: 100_000, noise: 5e6, limit: 100_000)
        #expect(counts[.uncertain, default: 0] > 475, "\(counts)")
    }
}
