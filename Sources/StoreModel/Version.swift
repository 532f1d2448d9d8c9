/// The version of a product, such as `1.10`, as text that can be compared.
///
/// Two versions compare by semantic versioning (semver.org, 2.0.0) if both follow it, else number by number: `1.10` is
/// greater than `1.9`, and `2.0` is equal to `2`.
public struct Version: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// The text of the version, exactly as in the source that it was read from.
    public let text: String
    public init(_ text: String) { self.text = text }
    public var description: String { text }

    /// Whether this is a pre-release by semantic versioning, such as `2.0.0-beta.1`.
    ///
    /// A version that does not follow semantic versioning is none.
    public var isPreRelease: Bool { Semantic(text)?.preRelease.isEmpty == false }

    public static func < (a: Version, b: Version) -> Bool { compare(a, b) < 0 }
    /// Returns whether two versions are equal in order, as `1.0` and `1` are; their texts may differ.
    public static func == (a: Version, b: Version) -> Bool { compare(a, b) == 0 }
    public func hash(into hasher: inout Hasher) {
        // Equal versions may be written differently (`1.0` and `1`, or with and without `+build`), so only the part
        // that equal versions have in common is hashed.
        hasher.combine(Version.runs(of: text[...]).first ?? "0")
    }

    private static func compare(_ a: Version, _ b: Version) -> Int {
        if a.text == b.text { return 0 }
        if let a = Semantic(a.text), let b = Semantic(b.text) { return Semantic.compare(a, b) }
        return compareRuns(runs(of: a.text[...]), runs(of: b.text[...]))
    }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Version {
    private struct Semantic {
        let core: [Substring]
        let preRelease: [Substring]

        init?(_ text: String) {
            let withoutBuild = text.prefix { $0 != "+" }
            let dash = withoutBuild.firstIndex(of: "-")
            core = withoutBuild[..<(dash ?? withoutBuild.endIndex)].split(
                separator: ".", omittingEmptySubsequences: false)
            preRelease = dash.map { withoutBuild[withoutBuild.index(after: $0)...].split(separator: ".") } ?? []
            guard core.count == 3, core.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }) else { return nil }
            if dash != nil, preRelease.isEmpty { return nil }
        }

        static func compare(_ a: Semantic, _ b: Semantic) -> Int {
            for (x, y) in zip(a.core, b.core) {
                let order = compareNumbers(x, y)
                if order != 0 { return order }
            }
            // A version without a pre-release is after all of its pre-releases.
            if a.preRelease.isEmpty || b.preRelease.isEmpty {
                return (a.preRelease.isEmpty ? 1 : 0) - (b.preRelease.isEmpty ? 1 : 0)
            }
            for (x, y) in zip(a.preRelease, b.preRelease) {
                let order = compareIdentifiers(x, y)
                if order != 0 { return order }
            }
            return a.preRelease.count - b.preRelease.count
        }

        private static func compareIdentifiers(_ a: Substring, _ b: Substring) -> Int {
            switch (a.allSatisfy(\.isASCIIDigit), b.allSatisfy(\.isASCIIDigit)) {
            case (true, true): compareNumbers(a, b)
            case (true, false): -1
            case (false, true): 1
            case (false, false): a == b ? 0 : a < b ? -1 : 1
            }
        }
    }

    /// Returns the runs of digits and the runs of letters in a version, in order; other characters only separate runs.
    ///
    /// Numbers have no leading zeros, and runs at the end that are 0 are omitted, so that `1.0` and `1.00.0` are equal.
    private static func runs(of text: Substring) -> [Substring] {
        var runs: [Substring] = []
        var rest = text
        while let first = rest.first {
            guard first.isASCIIDigit || first.isLetter else {
                rest.removeFirst()
                continue
            }
            let run = rest.prefix { first.isASCIIDigit ? $0.isASCIIDigit : $0.isLetter }
            runs.append(first.isASCIIDigit ? trimmingZeros(run) : run)
            rest = rest[run.endIndex...]
        }
        while runs.last == "0" { runs.removeLast() }
        return runs
    }

    private static func compareRuns(_ a: [Substring], _ b: [Substring]) -> Int {
        for place in 0..<max(a.count, b.count) {
            // The shorter version is padded with zeros: a longer one that continues with letters (`1.0rc`) is before
            // it, and one that continues with numbers (`1.0.1`) is after it.
            let (x, y) = (place < a.count ? a[place] : "0", place < b.count ? b[place] : "0")
            let order: Int
            switch (x.first!.isASCIIDigit, y.first!.isASCIIDigit) {
            case (true, true): order = compareNumbers(x, y)
            case (true, false): order = 1
            case (false, true): order = -1
            case (false, false): order = x == y ? 0 : x < y ? -1 : 1
            }
            if order != 0 { return order }
        }
        return 0
    }

    /// Compares two texts of decimal digits in versions as numbers of any length.
    ///
    /// A long number, such as a date with a time, therefore does not overflow.
    private static func compareNumbers(_ a: Substring, _ b: Substring) -> Int {
        let (a, b) = (trimmingZeros(a), trimmingZeros(b))
        if a.count != b.count { return a.count - b.count }
        return a == b ? 0 : a < b ? -1 : 1
    }

    /// Whether the version contains a digit from 0 to 9; versions without one would all compare as equal.
    package var hasDigit: Bool { text.contains(where: \.isASCIIDigit) }

    private static func trimmingZeros(_ digits: Substring) -> Substring {
        let trimmed = digits.drop { $0 == "0" }
        return trimmed.isEmpty ? "0" : trimmed
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
