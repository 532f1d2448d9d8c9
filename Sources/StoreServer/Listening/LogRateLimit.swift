/// The rule by which a repeated log message is written: at most once in an interval.
///
/// It is for messages about what other users of the machine do as often as they like: they must not fill the disk of this one.
struct LogRateLimit {
    /// The minimum time between two messages.
    static let interval = Duration.seconds(60)

    /// The time from which the next message may be written; `nil` before the first.
    private var next: ContinuousClock.Instant?

    /// Returns whether the message may be written now, and counts it as written then.
    mutating func permitsMessage(at now: ContinuousClock.Instant) -> Bool {
        if let next, now < next { return false }
        next = now + Self.interval
        return true
    }
}
