import DequeModule
import Dispatch
import Synchronization

/// A pool of worker threads that run blocking work from one queue, in the order in which it was added.
final class WorkerPool: Sendable {
    private struct State {
        /// The number of worker threads that are running or about to run.
        var workers = 0
        /// The pieces of work that no worker has begun.
        ///
        /// Not an array slice: `popFirst()` would leave each closure, and the open files that it holds, in the slice's buffer.
        var waiting: Deque<@Sendable () -> Void> = []
    }
    private let label: String
    private let size: Int
    private let state = Mutex(State())

    /// Creates a pool; it uses no thread while no work waits.
    ///
    /// - Parameter size: the maximum number of worker threads, that is of pieces of work that run at once.
    init(label: String, size: Int) {
        self.label = label
        self.size = size
    }

    /// Appends a piece of work, which begins as soon as all before it have begun and a worker is free.
    ///
    /// The closure is released when it has run, even while other work keeps its thread busy.
    func add(_ body: @escaping @Sendable () -> Void) {
        let needsWorker = state.withLock { state in
            state.waiting.append(body)
            guard state.workers < size else { return false }
            state.workers += 1
            return true
        }
        guard needsWorker else { return }
        // Not a concurrent queue: on Linux such queues run on the very threads that Swift's concurrency pool has, and
        // as many pieces as there are cores would hold up every task of the program. A serial queue is given another
        // thread where all are taken.
        DispatchQueue(label: label).async { [self] in
            while let body = next() { body() }
        }
    }

    /// Removes and returns the next piece of work for a worker; `nil` where none waits, and the worker ends.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if let next = state.waiting.popFirst() { return next }
            state.workers -= 1
            return nil
        }
    }
}
