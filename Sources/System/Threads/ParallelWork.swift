import Dispatch
import FoundationEssentials
import Synchronization

/// A namespace of functions that divide blocking work among threads outside Swift's concurrency pool.
public enum ParallelWork {
    /// The number of processors that this process may use.
    public static let processors = ProcessInfo.processInfo.activeProcessorCount

    /// The threads among which work is divided.
    public enum Threads: Sendable {
        /// Threads that libdispatch keeps for reuse.
        case dispatch
        /// Threads that are started for the work, by ``SystemThread``.
        case system
    }

    /// Calls `body` once for each number from 0 up to `count`, on up to `threads` threads, and waits for all calls.
    ///
    /// The caller's thread is one of the threads. The call blocks, and cancelling the calling task does not interrupt
    /// it.
    ///
    /// - Parameters:
    ///   - kind: which threads are used; those of libdispatch are not available in a confined process.
    ///   - begin: creates the state that a thread passes to its calls of `body`; called once for each thread.
    ///   - body: is called with the numbers in ascending order, so that where one fails, all before it are tried too.
    /// - Returns: the results of `body`, in the order of the numbers.
    /// - Throws: the error of the smallest number that failed. No number is begun after one has failed.
    public static func map<State, Value: Sendable>(
        _ count: Int, threads: Int, on kind: Threads = .dispatch, begin: @escaping @Sendable () -> State,
        _ body: @escaping @Sendable (inout State, Int) throws -> Value
    ) throws -> [Value] {
        let progress = Progress<Value>(count: count)
        let work: @Sendable () -> Void = {
            var state = begin()
            while let number = progress.next() {
                progress.note(number, Result { try body(&state, number) })
            }
        }
        let others = DispatchGroup()
        for _ in 1..<max(1, min(threads, count)) {
            switch kind {
            // Serial queues, one for each thread: see ``BlockingWork`` for why no concurrent queue is used.
            case .dispatch: DispatchQueue(label: "parallel").async(group: others, execute: work)
            case .system:
                others.enter()
                do {
                    try SystemThread.start {
                        work()
                        others.leave()
                    }
                } catch {
                    // The threads that there are do all of it.
                    others.leave()
                }
            }
        }
        work()
        others.wait()
        return try progress.values()
    }

    private final class Progress<Value: Sendable>: Sendable {
        private struct State {
            var next = 0
            var failure: (number: Int, error: any Error)?
            var values: [Value?]
        }
        private let state: Mutex<State>

        init(count: Int) { state = Mutex(State(values: Array(repeating: nil, count: count))) }

        func next() -> Int? {
            state.withLock { state in
                guard state.failure == nil, state.next < state.values.count else { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }

        func note(_ number: Int, _ result: Result<Value, any Error>) {
            state.withLock { state in
                switch result {
                case .success(let value): state.values[number] = value
                case .failure(let error):
                    if state.failure.map({ number < $0.number }) ?? true { state.failure = (number, error) }
                }
            }
        }

        func values() throws -> [Value] {
            try state.withLock { state in
                if let failure = state.failure { throw failure.error }
                // Without a failure every number was handed out, and each value was stored before its thread ended.
                return state.values.map { $0! }
            }
        }
    }
}
