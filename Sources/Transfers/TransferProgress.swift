import Dispatch
import Synchronization

/// How far a download is. Numbers are absolute.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes of the file that are here, those of earlier attempts included.
    public let received: Int
    /// Bytes that the whole file will have; `nil` where nobody has said.
    public let expected: Int?
    /// From which byte on this attempt goes; falls to 0 where it had to start again.
    public let resumedFrom: Int

    public init(received: Int, expected: Int?, resumedFrom: Int) {
        self.received = received
        self.expected = expected
        self.resumedFrom = resumedFrom
    }
}

/// Tells of progress without ever holding up whoever makes it: a slow receiver misses what is out of date.
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

    /// Returns when the receiver has been told all that there was to tell.
    func finish() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
