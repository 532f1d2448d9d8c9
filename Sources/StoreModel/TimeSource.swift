public import FoundationEssentials

/// The functions by which the program reads the time and waits: those of the system, or of a simulated clock.
public struct TimeSource: Sendable {
    /// The type of a function that suspends the calling task for a duration.
    ///
    /// `who` identifies the waiting task, to order delays that end at the same time. Throws `CancellationError`.
    public typealias Sleep = @Sendable (_ duration: Duration, _ who: String) async throws -> Void

    /// The function that returns the time of day.
    public let date: @Sendable () -> Date
    /// The function that returns the monotonic time, for measuring durations.
    public let now: @Sendable () -> ContinuousClock.Instant
    /// The function that suspends the calling task for a duration.
    public let sleep: Sleep
    /// The function that returns a random number from 0 to 1.
    ///
    /// It spreads retries that would otherwise happen at the same time.
    public let jitter: @Sendable () -> Double

    /// Creates a time source from its functions; tests pass those of a simulated clock.
    public init(
        date: @escaping @Sendable () -> Date, now: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping Sleep, jitter: @escaping @Sendable () -> Double
    ) {
        self.date = date
        self.now = now
        self.sleep = sleep
        self.jitter = jitter
    }

    /// The time source that uses the system's clock.
    public static let system = TimeSource(
        date: { Date() }, now: { .now },
        sleep: { duration, _ in
            try await sleepInParts(duration, now: { .now }, sleep: { try await Task.sleep(for: $0) })
        },
        jitter: { .random(in: 0...1) })

    /// The longest time that the system's clock waits at once.
    static let longestPart = Duration.seconds(10)

    /// Suspends the calling task for a duration, in parts.
    ///
    /// When its task is cancelled, `Task.sleep` returns, but what it has scheduled stays in memory until its time has come
    /// (TaskSleep.swift of Swift's runtime). Nearly every wait of a time limit is cancelled, and some limits are minutes.
    ///
    /// - Parameter sleep: waits for one part.
    static func sleepInParts(
        _ duration: Duration, now: () -> ContinuousClock.Instant, sleep: (Duration) async throws -> Void
    ) async throws {
        let end = now() + duration
        var left = duration
        repeat {
            try await sleep(min(left, longestPart))
            left = end - now()
        } while left > .zero
    }
}
