/// A set of byte positions in a file, stored as sorted ranges that are not empty and do not touch.
struct ByteRanges: Sendable, Hashable {
    private(set) var ranges: [Range<Int>] = []

    init() {}
    init(_ range: Range<Int>) { insert(range) }

    /// Adds a range of positions to the set.
    ///
    /// Some of them may be in the set already; an empty range changes nothing.
    mutating func insert(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        // Bytes mostly follow the last range, so a search from the end stops at once.
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

    /// Returns the set of byte positions of this set that are not in `others`.
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

    /// The number of byte positions in the set.
    var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Returns the end of the set's range that contains the position `start`, or `start` where no range does.
    func end(ofRunAt start: Int) -> Int { ranges.first { $0.contains(start) }?.upperBound ?? start }

    /// Returns the first gap between the set's ranges at or after `start`; its end is `nil` where no range follows.
    func gap(from start: Int = 0) -> (from: Int, to: Int?) {
        let from = end(ofRunAt: start)
        return (from, ranges.first { $0.lowerBound > from }?.lowerBound)
    }

    /// The position after the last byte of the set; 0 where the set is empty.
    var end: Int { ranges.last?.upperBound ?? 0 }
}
