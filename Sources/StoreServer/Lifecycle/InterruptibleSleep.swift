import StoreSystem
import Synchronization

/// A sleep of one task that other tasks can end early.
final class InterruptibleSleep: Sendable {
    private struct State {
        var sleep: Task<Void, Never>?
        /// Whether the next sleep ends at once, because it was interrupted before it began.
        var isInterrupted = false
    }
    private let state = Mutex(State())

    /// Suspends the current task until a time, an ``interrupt()`` since the last sleep, or the task's cancellation.
    ///
    /// - Parameter time: when the sleep ends at the latest; `nil` for a sleep that only an interrupt or a cancellation ends. A
    ///   distant time costs memory: the runtime keeps the scheduled wake-up until that time, even if the sleep ends earlier.
    func sleep(until time: ContinuousClock.Instant?) async {
        let sleep = Task<Void, Never> {
            if let time {
                try? await ContinuousClock().sleep(until: time)
            } else {
                try? await Promise<Void>().value()
            }
        }
        state.withLock { state in
            if state.isInterrupted { sleep.cancel() }
            state = State(sleep: sleep)
        }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
        state.withLock { $0.sleep = nil }
    }

    /// Ends the sleep that is under way, or else the next one as soon as it begins.
    func interrupt() {
        state.withLock { state in
            guard let sleep = state.sleep else {
                state.isInterrupted = true
                return
            }
            sleep.cancel()
        }
    }
}
