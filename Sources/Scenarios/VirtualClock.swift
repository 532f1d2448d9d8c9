public import FoundationEssentials
public import StoreModel
import Synchronization

/// A simulated clock that advances only on request, and ends the sleeps of waiting tasks one at a time.
public final class VirtualClock: Sendable {
    private struct Sleeper {
        let number: Int
        let name: String
        let due: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }
    private struct State {
        var elapsed = Duration.zero
        var sleepers: [Sleeper] = []
        var lastNumber = 0
    }
    private let state = Mutex(State())
    private let begins: Date
    private let origin = ContinuousClock.now

    init(begins: Date) { self.begins = begins }

    /// The virtual time since the scenario's beginning.
    public var elapsed: Duration { state.withLock { $0.elapsed } }

    /// The current date and time of the scenario.
    public var date: Date { begins + elapsed.seconds }

    /// The virtual clock as a time source of the engine, without jitter, so that a scenario is deterministic.
    public var time: TimeSource {
        TimeSource(
            date: { self.date }, now: { self.origin + self.elapsed },
            sleep: { duration, name in try await self.sleep(duration, name) }, jitter: { 0 })
    }

    func sleep(until due: Duration, _ name: String) async throws { try await sleep(due - elapsed, name) }

    private func sleep(_ duration: Duration, _ name: String) async throws {
        try Task.checkCancellation()
        guard duration > .zero else { return }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.sleepers.append(
                        Sleeper(
                            number: number, name: name, due: state.elapsed + duration, continuation: continuation))
                }
                // A cancellation before the sleeper was added found nothing to cancel.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Ends all sleeps with a name on the virtual clock by throwing an error.
    func interrupt(_ name: String, with error: any Error) {
        let interrupted = state.withLock { state in
            defer { state.sleepers.removeAll { $0.name == name } }
            return state.sleepers.filter { $0.name == name }
        }
        for sleeper in interrupted { sleeper.continuation.resume(throwing: error) }
    }

    private func cancel(_ number: Int) {
        remove(number)?.continuation.resume(throwing: CancellationError())
    }

    private func remove(_ number: Int) -> Sleeper? {
        state.withLock { state in
            state.sleepers.firstIndex { $0.number == number }.map { state.sleepers.remove(at: $0) }
        }
    }

    // MARK: Advancing

    /// Returns whether a sleep with a name is in progress on the virtual clock.
    func isWaiting(_ name: String) -> Bool { state.withLock { $0.sleepers.contains { $0.name == name } } }

    /// The next sleeper to wake, with its number and time; `nil` if no task sleeps on the virtual clock.
    ///
    /// Sleepers of the same time are ordered by name and number, which is deterministic.
    var next: (number: Int, due: Duration)? {
        state.withLock { state in
            state.sleepers.min { ($0.due, $0.name, $0.number) < ($1.due, $1.name, $1.number) }.map {
                ($0.number, $0.due)
            }
        }
    }

    /// Sets the virtual clock to a time since the scenario's beginning, unless that is in the past.
    func move(to time: Duration) { state.withLock { $0.elapsed = max($0.elapsed, time) } }

    /// Ends the sleep on the virtual clock that was registered under a number.
    func wake(_ number: Int) { remove(number)?.continuation.resume() }
}
