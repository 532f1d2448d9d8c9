import Hummingbird
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite struct MetricsTests {
    @Test func `special characters in labels are escaped`() throws {
        var text = PrometheusText()
        text.add("odd", .gauge, "A \\ and\na \"line\".", [([("name", "a\"b\\c\nd"), ("other", "")], 1.5)])
        #expect(
            text.text == """
                # HELP odd A \\\\ and\\na "line".
                # TYPE odd gauge
                odd{name="a\\"b\\\\c\\nd",other=""} 1.5

                """)
        #expect(try MetricsDocument(text.text)["odd", "name=a\"b\\c\nd", "other="] == 1.5)
    }

    @Test func `numbers are written in the notation of the format`() {
        var text = PrometheusText()
        for value in [0, 12_345_678_901, -1, 0.25, 1e-7, .infinity, -.infinity] {
            text.add("n", .gauge, "N.", value)
        }
        let values = text.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.dropFirst(2) }
        #expect(values == ["0", "12345678901", "-1", "0.25", "1e-07", "+Inf", "-Inf"])
    }

    @Test func `a histogram counts the values up to each bound`() throws {
        var histogram = Histogram(bounds: [0.1, 1])
        for value in [0.05, 0.1, 0.2, 3, 4] { histogram.add(value) }
        var text = PrometheusText()
        text.add("time_seconds", "T.", [([("route", "/a")], histogram)])
        let read = try MetricsDocument(text.text)
        #expect(read["time_seconds_bucket", "route=/a", "le=0.1"] == 2)
        #expect(read["time_seconds_bucket", "route=/a", "le=1"] == 3)
        #expect(read["time_seconds_bucket", "route=/a", "le=+Inf"] == 5)
        #expect(read["time_seconds_count", "route=/a"] == 5)
        #expect(read["time_seconds_sum", "route=/a"] == 7.35)
    }

    @Test func `the number of time series is bounded whatever clients request`() {
        let metrics = RequestMetrics()
        for number in 1...1000 {
            metrics.recordResponse(
                route: nil, method: .init(rawValue: "METHOD\(number)")!, status: 404, duration: .milliseconds(number))
        }
        #expect(metrics.durations.map(\.key) == [.init(route: "none", method: "other", status: 404)])
        #expect(metrics.durations.first?.histogram.count == 1000)
    }

    /// Tests the parser that the other tests use.
    @Test(arguments: [
        "a 1\n", "# TYPE a gauge\na 1\n", "# HELP a A.\n# TYPE a gauge\na 1", "# HELP a A.\n# TYPE a gauge\na x\n",
        "# HELP a A.\n# TYPE a gauge\na 1\na 1\n", "# HELP a A.\n# TYPE a gauge\na{b=\"\\t\"} 1\n",
        "# HELP a A.\n# TYPE a gauge\na{b=\"c} 1\n", "# HELP a A.\n# TYPE a counter\na 1\n",
        "# HELP a A.\n# TYPE a gauge\n# HELP b B.\n# TYPE b gauge\nb 1\na 1\n",
        "# HELP h H.\n# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_sum 1\nh_count 1\n",
        "# HELP h H.\n# TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n",
    ])
    func `the test's own parser rejects malformed text`(text: String) {
        #expect(throws: MetricsDocument.Broken.self) { try MetricsDocument(text) }
    }
}
