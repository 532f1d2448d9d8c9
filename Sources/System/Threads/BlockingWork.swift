import Dispatch

/// A queue that runs blocking work outside Swift's concurrency pool, which has only few threads.
public struct BlockingWork: Sendable {
    /// The maximum number of pieces of work that run at once on one concurrent queue.
    ///
    /// libdispatch has 255 threads for all queues of a process. If waiting work had them all, the work that it waits for,
    /// such as a write to the disk, could never begin.
    public static let concurrencyLimit = 16

    private let pool: WorkerPool

    /// Creates a queue for blocking work.
    ///
    /// - Parameter concurrent: whether up to ``concurrencyLimit`` pieces of work may run at once; else they run one by
    ///   one. Either way they begin in order.
    public init(label: String, concurrent: Bool = false) {
        pool = WorkerPool(label: label, size: concurrent ? Self.concurrencyLimit : 1)
    }

    /// Appends blocking work (`body`) to the queue, and returns at once.
    public func add(_ body: @escaping @Sendable () -> Void) { pool.add(body) }

    /// Runs blocking work (`body`) on the queue, and returns its result.
    ///
    /// Cancellation of the task does not interrupt it.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            add { continuation.resume(with: Result(catching: body)) }
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
