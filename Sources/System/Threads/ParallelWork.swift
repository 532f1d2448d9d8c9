import Dispatch
import FoundationEssentials
import Synchronization

/// Blocking work in many pieces for several threads, none of them of Swift's concurrency pool.
public enum ParallelWork {
    /// The number of processors that this process may use.
    public static let processors = ProcessInfo.processInfo.activeProcessorCount

    /// Calls `body` once for each number from 0 up to `count`, on up to `threads` threads of which the caller's is one,
    /// and returns when all have ended.
    ///
    /// Blocks, and is not interrupted.
    ///
    /// - Parameters:
    ///   - begin: makes what a thread has for itself, once for each.
    ///   - body: numbers are handed out in order, so that where one fails, all before it are tried too.
    /// - Returns: what `body` gave, in the order of the numbers.
    /// - Throws: the error of the smallest number that failed. No number is begun after one has failed.
    public static func map<State, Value: Sendable>(
        _ count: Int, threads: Int, begin: @escaping @Sendable () -> State,
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
            // A serial queue each, for the reason that ``BlockingWork`` has.
            DispatchQueue(label: "parallel").async(group: others, execute: work)
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
                // Without a failure every number was handed out, and each noted its value before its thread ended.
                return state.values.map { $0! }
            }
        }
    }
}
