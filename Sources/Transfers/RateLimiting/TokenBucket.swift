/// A token bucket that limits a rate: one token for each byte flows in at a steady rate, and received bytes take them.
///
/// More tokens may be taken than there are, because libcurl decides how large a piece is. The bucket then has a
/// negative level, and the next bytes wait until it is 0.
struct TokenBucket {
    typealias Instant = ContinuousClock.Instant

    /// The rate at which tokens flow into the bucket, in bytes per second.
    var rate: Double
    private var level = 0.0
    private var filledAt: Instant

    /// The maximum level of the bucket in bytes, which is the largest burst after a pause: what flows in within 50 ms.
    private var capacity: Double { rate * 0.05 }

    init(rate: Double, at now: Instant) {
        self.rate = rate
        filledAt = now
    }

    /// Returns how long to wait before more tokens are taken from the bucket; `nil` where they may be taken now.
    mutating func wait(at now: Instant) -> Duration? {
        level = min(capacity, level + rate * (now - filledAt).timeInterval)
        filledAt = now
        return level >= 0 ? nil : .seconds(-level / rate)
    }

    mutating func take(_ count: Int) { level -= Double(count) }
}
