/// Encodes metrics in Prometheus' text exposition format 0.0.4.
struct PrometheusText {
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    enum MetricType: String {
        case counter, gauge, histogram
    }

    typealias Labels = [(name: String, value: String)]

    private(set) var text = ""

    /// Adds a metric for Prometheus with one sample and no labels.
    mutating func add(_ name: String, _ type: MetricType, _ help: String, _ value: Double) {
        add(name, type, help, [([], value)])
    }

    /// Adds a metric for Prometheus with one sample for each set of labels.
    mutating func add(_ name: String, _ type: MetricType, _ help: String, _ samples: [(labels: Labels, value: Double)])
    {
        addHeader(name, type, help)
        for sample in samples { addSample(name, sample.labels, sample.value) }
    }

    /// Adds a metric for Prometheus with one histogram for each set of labels.
    mutating func add(_ name: String, _ help: String, _ samples: [(labels: Labels, histogram: Histogram)]) {
        addHeader(name, .histogram, help)
        for (labels, histogram) in samples {
            for (bound, count) in histogram.cumulative {
                addSample(name + "_bucket", labels + [("le", Self.number(bound))], Double(count))
            }
            addSample(name + "_sum", labels, histogram.sum)
            addSample(name + "_count", labels, Double(histogram.count))
        }
    }

    private mutating func addHeader(_ name: String, _ type: MetricType, _ help: String) {
        text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(type.rawValue)\n"
    }

    private mutating func addSample(_ name: String, _ labels: Labels, _ value: Double) {
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
