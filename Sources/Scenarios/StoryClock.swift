public import FoundationEssentials
public import StoreModel
import Synchronization

/// A clock that stands still until it is moved. Who waits on it is woken by whoever moves it, one at a time.
public final class StoryClock: Sendable {
    private struct Sleeper {
        let number: Int
        let who: String
        let due: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }
    private struct State {
        var elapsed = Duration.zero
        var sleepers: [Sleeper] = []
        var begun = 0
    }
    private let state = Mutex(State())
    private let begins: Date
    private let origin = ContinuousClock.now

    init(begins: Date) { self.begins = begins }

    /// Since the beginning.
    public var elapsed: Duration { state.withLock { $0.elapsed } }

    public var date: Date { begins + elapsed.seconds }

    /// The same for the engine. Waits are not spread by chance.
    public var time: TimeSource {
        TimeSource(
            date: { self.date }, now: { self.origin + self.elapsed },
            sleep: { duration, who in try await self.sleep(duration, who) }, jitter: { 0 })
    }

    func sleep(until due: Duration, _ who: String) async throws { try await sleep(due - elapsed, who) }

    private func sleep(_ duration: Duration, _ who: String) async throws {
        try Task.checkCancellation()
        guard duration > .zero else { return }
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.sleepers.append(
                        Sleeper(
                            number: number, who: who, due: state.elapsed + duration, continuation: continuation))
                }
                // Cancelled before it was noted: the handler found nobody.
                if Task.isCancelled { turnAway(number) }
            }
        } onCancel: {
            turnAway(number)
        }
    }

    /// Ends all waits of that name with an error.
    func interrupt(_ who: String, with error: any Error) {
        let interrupted = state.withLock { state in
            defer { state.sleepers.removeAll { $0.who == who } }
            return state.sleepers.filter { $0.who == who }
        }
        for sleeper in interrupted { sleeper.continuation.resume(throwing: error) }
    }

    private func turnAway(_ number: Int) {
        remove(number)?.continuation.resume(throwing: CancellationError())
    }

    private func remove(_ number: Int) -> Sleeper? {
        state.withLock { state in
            state.sleepers.firstIndex { $0.number == number }.map { state.sleepers.remove(at: $0) }
        }
    }

    // MARK: For whoever moves it

    func isWaiting(_ who: String) -> Bool { state.withLock { $0.sleepers.contains { $0.who == who } } }

    /// Who is to be woken next, and when. Of those that are due in the same moment the order does not depend on chance.
    var next: (number: Int, due: Duration)? {
        state.withLock { state in
            state.sleepers.min { ($0.due, $0.who, $0.number) < ($1.due, $1.who, $1.number) }.map { ($0.number, $0.due) }
        }
    }

    /// Never backwards.
    func move(to time: Duration) { state.withLock { $0.elapsed = max($0.elapsed, time) } }

    func wake(_ number: Int) { remove(number)?.continuation.resume() }
}
