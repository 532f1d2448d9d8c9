import Synchronization

/// A limit on how often the progress of one transfer, or of one download made of several transfers, is reported.
///
/// This is the only place where progress is throttled: what passes it is published as an event.
public final class ProgressThrottle: Sendable {
    /// The least time between two progress reports, except for those that must be made.
    public static let interval = Duration.milliseconds(100)

    private let nextReport = Mutex(ContinuousClock.now)

    /// Creates a limit on how often progress is reported, which permits the first report at once.
    public init() {}

    /// Returns whether progress may be reported now, and counts a permitted report as made.
    public func permitsReport(at now: ContinuousClock.Instant = .now) -> Bool {
        nextReport.withLock { next in
            guard now >= next else { return false }
            next = now + Self.interval
            return true
        }
    }

    /// Counts a progress report that is made regardless of the limit, such as the first and the last of a transfer.
    func countReport(at now: ContinuousClock.Instant = .now) { nextReport.withLock { $0 = now + Self.interval } }
}
