/// A document in the text format of Prometheus (version 0.0.4); parsing fails if it violates any rule of the format.
public struct MetricsDocument: Sendable {
    /// The rule that a document violates, and the offending line.
    public struct Broken: Error, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }
    }

    public struct Series: Hashable, Sendable {
        public let name: String
        public let labels: [String: String]
    }

    public private(set) var values: [Series: Double] = [:]
    /// The types of the metrics by name.
    public private(set) var types: [String: String] = [:]
    private var helped: Set<String> = []
    /// The metric of the current line; all lines of a metric must be adjacent.
    private var current = ""

    public init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Broken("The last line has no end.") }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            do {
                try line.hasPrefix("#") ? readComment(line) : readSample(line)
            } catch let failure as Broken {
                throw Broken("\(failure.description): \(line)")
            }
        }
        for (name, type) in types where type == "histogram" { try checkHistogram(name) }
    }

    /// The value of a sample.
    ///
    /// - Parameter labels: all labels of the sample, as `name=value`.
    public subscript(name: String, labels: String...) -> Double? {
        var pairs: [String: String] = [:]
        for label in labels {
            let place = label.firstIndex(of: "=") ?? label.endIndex
            pairs[String(label[..<place])] = String(label[place...].dropFirst())
        }
        return values[Series(name: name, labels: pairs)]
    }

    private mutating func readComment(_ line: Substring) throws {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count == 4, words[0] == "#", Self.isName(words[2]), !words[3].isEmpty else {
            throw Broken("Neither help nor type")
        }
        let name = String(words[2])
        switch words[1] {
        case "HELP":
            guard helped.insert(name).inserted else { throw Broken("A second help") }
            _ = try Self.unescaped(words[3], quotes: false)
        case "TYPE":
            guard ["counter", "gauge", "histogram"].contains(words[3]) else { throw Broken("An unknown type") }
            guard types.updateValue(String(words[3]), forKey: name) == nil else { throw Broken("A second type") }
            guard words[3] != "counter" || name.hasSuffix("_total") else { throw Broken("A counter without _total") }
            current = name
        default: throw Broken("Neither help nor type")
        }
    }

    private mutating func readSample(_ line: Substring) throws {
        let name = line.prefix { $0 != "{" && $0 != " " }
        guard Self.isName(name) else { throw Broken("No name") }
        var rest = line[name.endIndex...]
        var labels: [String: String] = [:]
        if rest.first == "{" { labels = try Self.readLabels(&rest) }
        let words = rest.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].isEmpty, let value = Self.number(words[1]) else { throw Broken("No value") }
        let belongs =
            types[current] == "histogram"
            ? ["_bucket", "_sum", "_count"].contains { name == current + $0 } : name == current
        guard belongs, helped.contains(current) else { throw Broken("Not beneath its help and type") }
        guard types[current] != "counter" || value >= 0 else { throw Broken("A counter below zero") }
        guard values.updateValue(value, forKey: Series(name: String(name), labels: labels)) == nil else {
            throw Broken("The same once more")
        }
    }

    private static func readLabels(_ rest: inout Substring) throws -> [String: String] {
        var labels: [String: String] = [:]
        repeat {
            rest.removeFirst()
            let name = rest.prefix { $0 != "=" }
            guard isName(name), !name.contains(":"), rest[name.endIndex...].hasPrefix("=\"") else {
                throw Broken("No label")
            }
            rest = rest[name.endIndex...].dropFirst(2)
            var isEscaped = false
            let value = rest.prefix { character in
                defer { isEscaped = character == "\\" && !isEscaped }
                return character != "\"" || isEscaped
            }
            guard value.endIndex != rest.endIndex else { throw Broken("A label without end") }
            guard labels.updateValue(try unescaped(value, quotes: true), forKey: String(name)) == nil else {
                throw Broken("A label twice")
            }
            rest = rest[value.endIndex...].dropFirst()
        } while rest.first == ","
        guard rest.first == "}" else { throw Broken("Labels without end") }
        rest.removeFirst()
        return labels
    }

    private static func unescaped(_ text: Substring, quotes: Bool) throws -> String {
        var result = ""
        var isEscape = false
        for character in text {
            switch (isEscape, character) {
            case (false, "\\"): isEscape = true
            case (true, "\\"): (isEscape, result) = (false, result + "\\")
            case (true, "n"): (isEscape, result) = (false, result + "\n")
            case (true, "\"") where quotes: (isEscape, result) = (false, result + "\"")
            case (true, _): throw Broken("An escape that is none")
            case (false, _): result.append(character)
            }
        }
        guard !isEscape else { throw Broken("An escape without end") }
        return result
    }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.first, !first.isNumber else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") }
    }

    private static func number(_ text: Substring) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        default: Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
    }

    private func checkHistogram(_ name: String) throws {
        let counts = values.filter { $0.key.name == name + "_count" }
        let buckets = values.filter { $0.key.name == name + "_bucket" }
        for (series, count) in counts {
            let own = buckets.filter { $0.key.labels.filter { $0.key != "le" } == series.labels }
                .compactMap { bucket in
                    Self.number(bucket.key.labels["le", default: ""][...]).map { (bound: $0, count: bucket.value) }
                }
                .sorted { $0.bound < $1.bound }
            guard own.last?.bound == .infinity, own.last?.count == count else {
                throw Broken("\(series) has no bucket for all")
            }
            guard zip(own, own.dropFirst()).allSatisfy({ $0.count <= $1.count }) else {
                throw Broken("The buckets of \(series) are not cumulative")
            }
            guard values[Series(name: name + "_sum", labels: series.labels)] != nil else {
                throw Broken("\(series) has no sum")
            }
        }
        guard buckets.count == 0 || !counts.isEmpty else { throw Broken("'\(name)' has buckets and no count") }
    }
}
