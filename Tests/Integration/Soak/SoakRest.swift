import Glibc
import Synchronization

/// Stops all clients of a run between two of their rounds, so that the daemon is measured while it has nothing to do.
///
/// What a daemon holds for a hundred requests in progress differs by megabytes from one moment to the next, and would
/// hide a growth of kilobytes.
final class SoakRest: Sendable {
    private struct State {
        var isResting = false
        /// The number of clients within a round.
        var working = 0
    }
    private let state = Mutex(State())

    /// Performs one round of a client, as soon as no rest is in progress.
    func round(_ work: () throws -> Void) rethrows {
        while !state.withLock({ state in
            if !state.isResting { state.working += 1 }
            return !state.isResting
        }) {
            usleep(2000)
        }
        defer { state.withLock { $0.working -= 1 } }
        try work()
    }

    /// Performs a measurement while no client is within a round, and none begins one.
    func rest<Result>(_ measure: () throws -> Result) rethrows -> Result {
        state.withLock { $0.isResting = true }
        defer { state.withLock { $0.isResting = false } }
        while state.withLock({ $0.working > 0 }) { usleep(2000) }
        return try measure()
    }
}
