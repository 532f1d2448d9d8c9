public import FoundationEssentials

/// Where the time comes from, and how it is waited for: the machine's clock, or one that somebody moves.
public struct TimeSource: Sendable {
    /// Waits; `who` tells the waits that end in the same moment apart. Ends early with `CancellationError`.
    public typealias Sleep = @Sendable (_ duration: Duration, _ who: String) async throws -> Void

    /// The time of day.
    public let date: @Sendable () -> Date
    /// For what has passed between two moments.
    public let now: @Sendable () -> ContinuousClock.Instant
    public let sleep: Sleep
    /// From 0 to 1, by chance: what spreads the waits of those who would else all come back in the same moment.
    public let jitter: @Sendable () -> Double

    public init(
        date: @escaping @Sendable () -> Date, now: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping Sleep, jitter: @escaping @Sendable () -> Double
    ) {
        self.date = date
        self.now = now
        self.sleep = sleep
        self.jitter = jitter
    }

    /// The machine's.
    public static let system = TimeSource(
        date: { Date() }, now: { .now }, sleep: { duration, _ in try await Task.sleep(for: duration) },
        jitter: { .random(in: 0...1) })
}
