import Synchronization

/// Lets a bounded number through at once; the others wait in the order of their places.
final class PrioritySemaphore: Sendable {
    private struct State {
        var limit: Int
        var inside = 0
        var line = Line()
        /// Of those in line, who have come themselves and not only their place.
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// Who were let in before they came themselves.
        var expected: Set<Int> = []
    }
    private let state: Mutex<State>

    init(limit: Int) { state = Mutex(State(limit: max(1, limit))) }

    /// Changes how many may be inside; those who are stay.
    func setLimit(_ limit: Int) {
        state.withLock { $0.limit = max(1, limit) }
        admit()
    }

    /// Keeps places for several who will come. Nobody is let in before all of them stand in line, so that it is not
    /// chance who comes first. Each of them must ``enter(_:)`` or ``withdraw(_:)``.
    func keep(_ places: [Place]) {
        state.withLock { state in
            for place in places { state.line.insert(place) }
        }
        admit()
    }

    /// Returns when it is the caller's turn, who then must ``leave()``.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits; it then is not inside.
    func enter(_ place: Place) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isInside = state.withLock { state in
                    if state.expected.remove(place.number) != nil { return true }
                    state.line.insert(place)
                    state.waiting[place.number] = continuation
                    return false
                }
                if isInside { return continuation.resume() }
                admit()
                // Cancelled before it stood in line: the handler found nobody.
                if Task.isCancelled { turnAway(place.number) }
            }
        } onCancel: {
            turnAway(place.number)
        }
    }

    func leave() {
        state.withLock { $0.inside -= 1 }
        admit()
    }

    /// Gives up a place that was kept. Without one, nothing happens.
    func withdraw(_ number: Int) {
        state.withLock { state in
            state.line.remove(number)
            if state.expected.remove(number) != nil { state.inside -= 1 }
        }
        admit()
    }

    /// Changes the priority of one who waits.
    func move(_ number: Int, to priority: Int) {
        state.withLock { $0.line.move(number, to: priority) }
    }

    /// Whether somebody stands in line, and nobody has let him in.
    func isWaiting(_ number: Int) -> Bool { state.withLock { $0.waiting[number] != nil } }

    private func turnAway(_ number: Int) {
        let turnedAway: CheckedContinuation<Void, any Error>? = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: number)
            if continuation != nil { state.line.remove(number) }
            return continuation
        }
        turnedAway?.resume(throwing: CancellationError())
    }

    private func admit() {
        let admitted = state.withLock { state in
            let numbers = state.line.removeFirst(state.limit - state.inside)
            state.inside += numbers.count
            return numbers.compactMap { number in
                let continuation = state.waiting.removeValue(forKey: number)
                if continuation == nil { state.expected.insert(number) }
                return continuation
            }
        }
        for continuation in admitted { continuation.resume() }
    }
}
