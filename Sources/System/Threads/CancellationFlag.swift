import Synchronization

/// A flag that one thread sets to stop long blocking work on another thread.
///
/// Work that waits for the disk runs on a thread outside Swift's concurrency pool, where `Task.isCancelled` is always
/// `false`. It calls ``check()`` instead: before each file, and at least once for every mebibyte of a large one.
/// ``BlockingWork/runCancellable(_:)`` sets the flag when the task that waits for the work is cancelled.
public final class CancellationFlag: Sendable {
    private let isSet = Atomic(false)
    private let countsChecks: Bool
    private let checksLeft: Atomic<Int>

    /// Creates a flag that is not set, so that the work may run.
    public init() {
        countsChecks = false
        checksLeft = Atomic(0)
    }

    /// Creates a flag that sets itself after a number of checks, for tests that count the work done after that.
    ///
    /// - Parameter checks: the number of calls of ``check()`` that pass; the next one sets the flag and throws.
    package init(cancelledAfter checks: Int) {
        countsChecks = true
        checksLeft = Atomic(checks)
    }

    /// Whether the flag is set, so that the work should stop.
    public var isCancelled: Bool { isSet.load(ordering: .relaxed) }

    /// Sets the flag, so that the work that checks it stops.
    ///
    /// Can be called from any thread, and more than once.
    public func cancel() { isSet.store(true, ordering: .relaxed) }

    /// Throws `CancellationError` if the flag is set, so that the work should stop.
    ///
    /// - Throws: `CancellationError`.
    public func check() throws {
        if countsChecks, checksLeft.subtract(1, ordering: .relaxed).oldValue <= 0 { cancel() }
        if isCancelled { throw CancellationError() }
    }
}
