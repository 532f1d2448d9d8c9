import Dispatch
import Synchronization

/// Passes the progress of a transfer to a function on a queue of its own, and so never blocks the transfer.
///
/// A slow function gets only the latest report.
final class ProgressReporter: Sendable {
    private struct State {
        var latest: TransferProgress?
        var isScheduled = false
    }
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "transfers.progress")
    private let handler: @Sendable (TransferProgress) -> Void

    init(_ handler: @escaping @Sendable (TransferProgress) -> Void) { self.handler = handler }

    func report(_ progress: TransferProgress) {
        let mustSchedule = state.withLock { state in
            state.latest = progress
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { queue.async { [self] in deliver() } }
    }

    private func deliver() {
        let latest = state.withLock { state in
            state.isScheduled = false
            defer { state.latest = nil }
            return state.latest
        }
        if let latest { handler(latest) }
    }

    /// Returns once all pending progress reports have been passed to the function.
    func finish() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
