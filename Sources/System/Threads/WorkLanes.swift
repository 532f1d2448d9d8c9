import Dispatch
import Synchronization

/// A number of threads that take pieces of blocking work from one queue, in order.
final class WorkLanes: Sendable {
    private struct State {
        /// The number of threads that are running pieces of work.
        var running = 0
        /// The pieces of work that no thread has begun.
        var waiting: ArraySlice<@Sendable () -> Void> = []
    }
    private let label: String
    private let count: Int
    private let state = Mutex(State())

    /// Creates the queue; it uses no thread while it is empty.
    ///
    /// - Parameter count: the maximum number of pieces of work that run at once.
    init(label: String, count: Int) {
        self.label = label
        self.count = count
    }

    /// Appends a piece of work, which begins as soon as all before it have begun and a thread is free.
    func add(_ body: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            guard state.running < count else {
                state.waiting.append(body)
                return false
            }
            state.running += 1
            return true
        }
        guard isFirst else { return }
        // Not a concurrent queue: on Linux such queues run on the very threads that Swift's concurrency pool has, and
        // as many pieces as there are cores would hold up every task of the program. A serial queue is given another
        // thread where all are taken.
        DispatchQueue(label: label).async { [self] in
            var next: (@Sendable () -> Void)? = body
            while let body = next {
                body()
                next = following()
            }
        }
    }

    /// Returns the next piece of work for a thread that has ended one; `nil` where none waits, and the thread is free.
    private func following() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if let next = state.waiting.popFirst() { return next }
            state.running -= 1
            return nil
        }
    }
}
