/// A token bucket: tokens, one for each byte, flow in at a steady rate.
///
/// More tokens may be taken than there are, because libcurl decides how large a piece is; the bucket then has a negative
/// level, which is waited for afterwards.
struct TokenBucket {
    typealias Instant = ContinuousClock.Instant

    /// In bytes per second.
    var rate: Double
    private var level = 0.0
    private var filledAt: Instant

    /// The largest burst after a pause, in bytes.
    private var capacity: Double { rate * 0.05 }

    init(rate: Double, at now: Instant) {
        self.rate = rate
        filledAt = now
    }

    /// Returns how long to wait before taking tokens; `nil` where they may be taken now.
    mutating func wait(at now: Instant) -> Duration? {
        level = min(capacity, level + rate * (now - filledAt).timeInterval)
        filledAt = now
        return level >= 0 ? nil : .seconds(-level / rate)
    }

    mutating func take(_ count: Int) { level -= Double(count) }
}
