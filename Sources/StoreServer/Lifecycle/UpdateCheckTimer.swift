import StoreModel
import Synchronization

/// Has new versions looked for every so often while the daemon runs. It sleeps in between, and where it is off there is
/// nothing that could wake.
final class UpdateCheckTimer: Sendable {
    private struct State {
        var interval: Duration?
        var task: Task<Void, Never>?
        var isStopped = false
    }
    private let state = Mutex(State())
    private let wait: @Sendable (_ interval: Duration) async -> Duration
    private let look: @Sendable () async -> Void

    /// - Parameters:
    ///   - wait: how long it is until the next time, where it is to be done so often.
    ///   - look: what is to be done. It is cancelled with the timer.
    init(
        wait: @escaping @Sendable (_ interval: Duration) async -> Duration, look: @escaping @Sendable () async -> Void
    ) {
        self.wait = wait
        self.look = look
    }

    /// - Parameter interval: how often, from now on; `nil` is never.
    func set(_ interval: Duration?) {
        let old: Task<Void, Never>? = state.withLock { state in
            guard state.interval != interval, !state.isStopped else { return nil }
            let old = state.task
            state.interval = interval
            state.task = interval.map { interval in
                Task { [wait, look] in
                    while !Task.isCancelled {
                        do { try await Task.sleep(for: wait(interval)) } catch { return }
                        await look()
                    }
                }
            }
            return old
        }
        old?.cancel()
    }

    func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
    }
}
