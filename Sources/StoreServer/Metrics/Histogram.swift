/// A histogram: the numbers of measured values between fixed bounds.
struct Histogram: Sendable {
    /// The upper bounds of the histogram's buckets in ascending order; greater values are counted in one more bucket.
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

    /// The number of all values in the histogram.
    var count: Int { counts.reduce(0, +) }

    /// The number of the histogram's values that are less than or equal to each bound; the last bound is infinite.
    var cumulative: [(bound: Double, count: Int)] {
        var total = 0
        return zip(bounds + [.infinity], counts).map { bound, count in
            total += count
            return (bound, total)
        }
    }
}
