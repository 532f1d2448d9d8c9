import StoreCCurl
import StoreModel
import Synchronization

/// A command to the transfer engine's thread, which runs all transfers.
enum Command: Sendable {
    case start(TransferJob, makeSink: @Sendable () -> any BodySink)
    case cancel(TransferJob)
    /// The command to continue a transfer that was paused for a lack of room for its bytes, or by a rate limit.
    case resume(TransferJob)
    /// The command to apply new bandwidth limits to running and later transfers.
    case setLimits(BandwidthLimits)
    /// The command to apply the changed rate limit of a download: paused transfers check it again.
    case applyRates
    /// The command to end all transfers, and then the transfer engine's thread.
    case stop
}

/// The queue of commands to the transfer engine's thread.
///
/// It wakes the thread with `curl_multi_wakeup`, the one libcurl call that other threads may make.
final class CommandQueue: Sendable {
    private enum ThreadState {
        /// There is no thread yet; the first transfer starts it.
        case notStarted
        /// The thread loads libcurl.
        case starting
        /// The thread uses the multi handle of libcurl at this address, and closes it at its end.
        case running(multi: UInt)
        /// The thread closes the handle, or has ended; or there was none when the engine was shut down.
        case ended
    }

    private struct State {
        var commands: [Command] = []
        var thread = ThreadState.notStarted
        /// The limits that were set last, which a thread that is started later applies first.
        var limits: BandwidthLimits?
        /// Whether the thread has released everything, or there is none after a shutdown.
        var hasEnded = false
        var endContinuations: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    /// What the caller of ``enqueue(_:)`` has to do.
    enum Outcome {
        case queued
        /// The caller has to start the thread, which then calls ``threadDidStart(multi:)`` or ``startDidFail()``.
        case mustStartThread
        /// The engine is shut down: the command was not appended.
        case refused
    }

    /// Appends a command, and wakes the engine's thread.
    @discardableResult
    func enqueue(_ command: Command) -> Outcome {
        state.withLock { state in
            if case .setLimits(let limits) = command { state.limits = limits }
            switch (state.thread, command) {
            case (.ended, _): return .refused
            case (.notStarted, .start):
                state.commands.append(command)
                state.thread = .starting
                return .mustStartThread
            case (.notStarted, .stop):
                state.thread = .ended
                state.hasEnded = true
            // Without a thread there is nothing to cancel or to resume, and `limits` is applied later.
            case (.notStarted, _): break
            case (.starting, _): state.commands.append(command)
            case (.running(let multi), _):
                state.commands.append(command)
                // One wake-up suffices for several commands. The lock is held so that the handle can't be closed
                // meanwhile.
                if state.commands.count == 1 { ccurl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi)) }
            }
            return .queued
        }
    }

    /// Returns whether the caller has to start the thread now, as after ``Outcome/mustStartThread``.
    func beginStarting() -> Bool {
        state.withLock { state in
            guard case .notStarted = state.thread else { return false }
            state.thread = .starting
            return true
        }
    }

    /// Wakes the thread with each command from now on.
    ///
    /// Called by the thread before it executes commands.
    ///
    /// - Parameter multi: the address of the handle that the thread uses, as a number because pointers are not sendable.
    func threadDidStart(multi: UInt) {
        state.withLock { state in
            state.thread = .running(multi: multi)
            if let limits = state.limits { state.commands.insert(.setLimits(limits), at: 0) }
        }
    }

    /// Ends all transfers that wait for the thread, because it can't be started; a later transfer tries again.
    func startDidFail() {
        let (commands, mustStop) = state.withLock { state in
            defer { state.commands = [] }
            let mustStop = state.commands.contains { if case .stop = $0 { true } else { false } }
            state.thread = mustStop ? .ended : .notStarted
            return (state.commands, mustStop)
        }
        for case .start(let job, let makeSink) in commands {
            makeSink().end(StoreError.engineNotStarted(job.request.url))
        }
        if mustStop { threadDidEnd() }
    }

    /// Removes and returns all commands to the engine's thread, in the order in which they were appended.
    func dequeueAll() -> [Command] {
        state.withLock { state in
            defer { state.commands.removeAll() }
            return state.commands
        }
    }

    /// Closes the queue to further commands, and returns the remaining ones.
    ///
    /// From then on only the caller, the engine's thread, uses the multi handle.
    func close() -> [Command] {
        state.withLock { state in
            state.thread = .ended
            defer { state.commands.removeAll() }
            return state.commands
        }
    }

    /// Resumes the callers of ``waitUntilEnded()``.
    ///
    /// Called by the engine's thread once it has released everything.
    func threadDidEnd() {
        let continuations = state.withLock { state in
            state.hasEnded = true
            defer { state.endContinuations.removeAll() }
            return state.endContinuations
        }
        for continuation in continuations { continuation.resume() }
    }

    /// Returns once the transfer engine's thread has ended and released everything; at once if it already has.
    ///
    /// Called after the command to stop.
    func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.hasEnded { return true }
                state.endContinuations.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
