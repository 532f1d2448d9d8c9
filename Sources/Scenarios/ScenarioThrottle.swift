import StoreTransfers
import Synchronization

/// A limit for the rate of progress reports by a scenario's virtual clock.
///
/// ``ProgressThrottle`` does the same by the system clock.
final class ScenarioThrottle: Sendable {
    private let clock: VirtualClock
    private let nextReport = Mutex(Duration.zero)

    init(_ clock: VirtualClock) { self.clock = clock }

    /// Returns whether progress may be reported now by the virtual clock, and counts a permitted report.
    func permitsReport() -> Bool {
        let now = clock.elapsed
        return nextReport.withLock { next in
            guard now >= next else { return false }
            next = now + ProgressThrottle.interval
            return true
        }
    }
}
