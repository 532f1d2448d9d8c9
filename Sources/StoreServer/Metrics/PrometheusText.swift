/// The text form of metrics that Prometheus reads (exposition format 0.0.4).
struct PrometheusText {
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    enum Kind: String {
        case counter, gauge, histogram
    }

    typealias Labels = [(name: String, value: String)]

    private(set) var text = ""

    /// A metric with one value.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        add(name, kind, help, [([], value)])
    }

    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: Labels, value: Double)]) {
        begin(name, kind, help)
        for sample in samples { add(name, sample.labels, sample.value) }
    }

    mutating func add(_ name: String, _ help: String, _ samples: [(labels: Labels, histogram: Histogram)]) {
        begin(name, .histogram, help)
        for (labels, histogram) in samples {
            for (bound, count) in histogram.cumulative {
                add(name + "_bucket", labels + [("le", Self.number(bound))], Double(count))
            }
            add(name + "_sum", labels, histogram.sum)
            add(name + "_count", labels, Double(histogram.count))
        }
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func add(_ name: String, _ labels: Labels, _ value: Double) {
        text += name
        if !labels.isEmpty {
            text +=
                "{"
                + labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
                .joined(separator: ",") + "}"
        }
        text += " \(Self.number(value))\n"
    }

    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func number(_ value: Double) -> String {
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int(exactly: value).map(String.init) ?? "\(value)"
    }
}

/// How many of what was measured lie below each of some bounds.
struct Histogram: Sendable {
    /// In ascending order; what is greater than the last lies in a bucket of its own.
    let bounds: [Double]
    private var counts: [Int]
    private(set) var sum = 0.0

    init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    mutating func add(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }

    var count: Int { counts.reduce(0, +) }

    /// How many are at most each bound; the last bound is infinite.
    var cumulative: [(bound: Double, count: Int)] {
        var below = 0
        return zip(bounds + [.infinity], counts).map { bound, count in
            below += count
            return (bound, below)
        }
    }
}
