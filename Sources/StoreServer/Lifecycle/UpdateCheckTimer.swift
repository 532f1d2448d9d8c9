import StoreModel
import Synchronization

/// A timer that checks for updates of installed packs at an interval while the daemon runs.
///
/// Without an interval, nothing is scheduled.
final class UpdateCheckTimer: Sendable {
    private struct State {
        var interval: Duration?
        var task: Task<Void, Never>?
        var isStopped = false
    }
    private let state = Mutex(State())
    private let timeToNextCheck: @Sendable (_ interval: Duration) async -> Duration
    private let check: @Sendable () async -> Void

    /// Creates a timer for checks for updates, which is off.
    ///
    /// - Parameters:
    ///   - timeToNextCheck: returns the time until the next check, given the interval.
    ///   - check: checks for updates; cancelled when the timer stops.
    init(
        timeToNextCheck: @escaping @Sendable (_ interval: Duration) async -> Duration,
        check: @escaping @Sendable () async -> Void
    ) {
        self.timeToNextCheck = timeToNextCheck
        self.check = check
    }

    /// Changes the interval between checks for updates; `nil` switches the timer off.
    func set(_ interval: Duration?) {
        let previous: Task<Void, Never>? = state.withLock { state in
            guard state.interval != interval, !state.isStopped else { return nil }
            let previous = state.task
            state.interval = interval
            state.task = interval.map { interval in
                Task { [timeToNextCheck, check] in
                    while !Task.isCancelled {
                        do { try await Task.sleep(for: timeToNextCheck(interval)) } catch { return }
                        await check()
                    }
                }
            }
            return previous
        }
        previous?.cancel()
    }

    /// Switches the timer for checks for updates off permanently.
    func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
    }
}
