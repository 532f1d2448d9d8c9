import Synchronization

/// Lets a bounded number through at once; the others wait in the order they came.
final class Turnstile: Sendable {
    private struct State {
        var limit: Int
        var inside = 0
        var nextTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    }
    private let state: Mutex<State>

    init(limit: Int) { state = Mutex(State(limit: max(1, limit))) }

    /// Changes how many may be inside; those who are stay.
    func setLimit(_ limit: Int) {
        state.withLock { $0.limit = max(1, limit) }
        admit()
    }

    /// Returns when it is the caller's turn, who then must ``leave()``.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits; it then is not inside.
    func enter() async throws {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.waiting.append((ticket, continuation)) }
                admit()
                // Cancelled before it stood in line: the handler found nobody.
                if Task.isCancelled { turnAway(ticket) }
            }
        } onCancel: {
            turnAway(ticket)
        }
    }

    func leave() {
        state.withLock { $0.inside -= 1 }
        admit()
    }

    private func turnAway(_ ticket: Int) {
        let turnedAway = state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0).continuation }
        }
        turnedAway?.resume(throwing: CancellationError())
    }

    private func admit() {
        let admitted = state.withLock { state in
            let count = min(max(0, state.limit - state.inside), state.waiting.count)
            state.inside += count
            defer { state.waiting.removeFirst(count) }
            return state.waiting.prefix(count).map(\.continuation)
        }
        for continuation in admitted { continuation.resume() }
    }
}
