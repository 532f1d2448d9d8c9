import Synchronization

/// A limit on how often the progress of one transfer, or of one download made of several transfers, is reported.
///
/// This is the only place where progress is throttled: what passes it is published as an event.
public final class ProgressThrottle: Sendable {
    /// The least time between two progress reports, except for those that must be made.
    public static let interval = Duration.milliseconds(100)

    private struct State {
        var nextReport = ContinuousClock.now
        /// Whether a report was not permitted since the last one.
        var isWithheld = false
    }
    private let state = Mutex(State())

    /// Creates a limit on how often progress is reported, which permits the first report at once.
    public init() {}

    /// Returns whether progress may be reported now, and counts a permitted report as made.
    public func permitsReport(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            state.isWithheld = now < state.nextReport
            if !state.isWithheld { state.nextReport = now + Self.interval }
            return !state.isWithheld
        }
    }

    /// The delay of the first progress report after the beginning of a response.
    ///
    /// A small file is complete by then, and has only its last report.
    static let responseDelay = Duration.milliseconds(1)

    /// Delays the next progress report by ``responseDelay``; to be called when the response of a transfer begins.
    func withholdReport(at now: ContinuousClock.Instant = .now) {
        state.withLock { $0 = State(nextReport: now + Self.responseDelay, isWithheld: true) }
    }

    /// Counts a progress report that is made regardless of the limit, such as the last of a transfer.
    func countReport(at now: ContinuousClock.Instant = .now) {
        state.withLock { $0 = State(nextReport: now + Self.interval) }
    }

    /// The time from which a report that was not permitted may be made; `nil` if there was none since the last report.
    ///
    /// Without it, a transfer that stalls would never report the bytes that came just before.
    var withheldReport: ContinuousClock.Instant? { state.withLock { $0.isWithheld ? $0.nextReport : nil } }
}
