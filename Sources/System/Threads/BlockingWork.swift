import Dispatch

/// A queue that runs blocking work outside Swift's concurrency pool, which has only few threads.
public struct BlockingWork: Sendable {
    private let label: String
    /// The serial dispatch queue; `nil` where pieces of work run concurrently, each on a queue created for it.
    private let queue: DispatchQueue?

    /// Creates a queue for blocking work.
    ///
    /// - Parameter concurrent: whether several pieces of work may run at once; else they run one by one in order.
    public init(label: String, concurrent: Bool = false) {
        self.label = label
        // Not a concurrent queue: on Linux such queues run on the very threads that Swift's concurrency pool has, and
        // as many pieces as there are cores would hold up every task of the program. A serial queue is given another
        // thread where all are taken.
        queue = concurrent ? nil : DispatchQueue(label: label)
    }

    /// Runs blocking work (`body`) on the queue, and returns its result.
    ///
    /// Cancellation of the task does not interrupt it.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            (queue ?? DispatchQueue(label: label)).async { continuation.resume(with: Result(catching: body)) }
        }
    }

    /// Runs blocking work (`body`) on the queue with a flag that is set when the calling task is cancelled.
    ///
    /// Returns only when `body` has ended, so that the caller can clean up safely.
    ///
    /// - Parameter body: calls ``CancellationFlag/check()`` before each file and for every mebibyte.
    /// - Throws: what `body` throws; `CancellationError` without a call of `body` where the task was cancelled before
    ///   `body` could begin.
    public func runCancellable<Value: Sendable>(
        _ body: @escaping @Sendable (CancellationFlag) throws -> Value
    ) async throws -> Value {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await run {
                try cancellation.check()
                return try body(cancellation)
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
