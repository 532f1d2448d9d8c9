/// Which bytes of a file: ranges in order, none empty, none touching the next.
struct ByteRanges: Sendable, Hashable {
    private(set) var ranges: [Range<Int>] = []

    init() {}
    init(_ range: Range<Int>) { insert(range) }

    /// Adds bytes, some of which may be in already.
    mutating func insert(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        // Bytes mostly come behind others that are there: the search ends at once then.
        var first = ranges.count
        while first > 0, ranges[first - 1].upperBound >= range.lowerBound { first -= 1 }
        var (end, merged) = (first, range)
        while end < ranges.count, ranges[end].lowerBound <= merged.upperBound {
            merged =
                min(merged.lowerBound, ranges[end].lowerBound)..<max(merged.upperBound, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(first..<end, with: CollectionOfOne(merged))
    }

    /// Those of the bytes that are not in `others`.
    func subtracting(_ others: ByteRanges) -> ByteRanges {
        var left = ByteRanges()
        for range in ranges {
            var from = range.lowerBound
            for other in others.ranges where other.overlaps(range) {
                if from < other.lowerBound { left.insert(from..<other.lowerBound) }
                from = max(from, other.upperBound)
            }
            if from < range.upperBound { left.insert(from..<range.upperBound) }
        }
        return left
    }

    /// How many bytes.
    var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Where the run ends that holds `start`, or `start` where that byte is not in.
    func end(ofRunAt start: Int) -> Int { ranges.first { $0.contains(start) }?.upperBound ?? start }

    /// The first run of bytes that are not in, at or behind `start`; without an end where nothing follows it.
    func gap(from start: Int = 0) -> (from: Int, to: Int?) {
        let from = end(ofRunAt: start)
        return (from, ranges.first { $0.lowerBound > from }?.lowerBound)
    }

    /// The bytes behind the last.
    var end: Int { ranges.last?.upperBound ?? 0 }
}
