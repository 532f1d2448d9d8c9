import Dispatch
import Synchronization

/// Passes the progress of a transfer to a function on a queue of its own, and so never blocks the transfer.
///
/// A slow function gets only the latest report. The last one is passed on by the task that calls ``finish()``.
final class ProgressReporter: Sendable {
    private struct State {
        /// The latest report, if the function has not got it yet.
        var latest: TransferProgress?
        /// Whether the queue is passing on reports, or will.
        var isDelivering = false
        /// The callers of ``finish()`` that wait for the queue.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "transfers.progress")
    private let handler: @Sendable (TransferProgress) -> Void

    init(_ handler: @escaping @Sendable (TransferProgress) -> Void) { self.handler = handler }

    /// Reports progress.
    ///
    /// - Parameter isLast: whether ``finish()`` is called next, which then passes it on itself.
    func report(_ progress: TransferProgress, isLast: Bool = false) {
        let mustDeliver = state.withLock { state in
            state.latest = progress
            guard !isLast, !state.isDelivering else { return false }
            state.isDelivering = true
            return true
        }
        if mustDeliver { queue.async { [self] in deliver() } }
    }

    private func deliver() {
        while let latest = nextReport() { handler(latest) }
    }

    /// Takes the latest report; if there is none, the delivery ends.
    private func nextReport() -> TransferProgress? {
        let (latest, waiting) = state.withLock { state -> (TransferProgress?, [CheckedContinuation<Void, Never>]) in
            if let latest = state.latest.take() { return (latest, []) }
            defer { state.waiting = [] }
            state.isDelivering = false
            return (nil, state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        return latest
    }

    /// Returns once all reports have been passed to the function; the last one may be passed on by the caller's task.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isDelivering = state.withLock { state in
                if state.isDelivering { state.waiting.append(continuation) }
                return state.isDelivering
            }
            if !isDelivering { continuation.resume() }
        }
        deliver()
    }
}
