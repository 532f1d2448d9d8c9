import StoreCCurl
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
    private struct State {
        var commands: [Command] = []
        /// The libcurl multi handle of the engine's thread; `nil` once the thread has ended.
        ///
        /// The thread closes the handle right after.
        var multi: UnsafeMutableRawPointer?
        var endContinuations: [CheckedContinuation<Void, Never>] = []
    }
    private let state: Mutex<State>
    private let hasEnded = Atomic(false)

    /// Creates the queue of commands to a transfer engine's thread.
    ///
    /// - Parameter address: the address of the multi handle, as a number because pointers are not sendable.
    init(multi address: UInt) {
        state = Mutex(State(multi: UnsafeMutableRawPointer(bitPattern: address)))
    }

    /// Appends a command and wakes the engine's thread; returns `false` where the thread has ended.
    @discardableResult
    func enqueue(_ command: Command) -> Bool {
        state.withLock { state in
            guard let multi = state.multi else { return false }
            state.commands.append(command)
            // One wake-up suffices for several commands. The lock is held so that the handle can't be closed meanwhile.
            if state.commands.count == 1 { curl_multi_wakeup(multi) }
            return true
        }
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
            state.multi = nil
            defer { state.commands.removeAll() }
            return state.commands
        }
    }

    /// Resumes the callers of ``waitUntilEnded()``.
    ///
    /// Called by the engine's thread once it has released everything.
    func threadDidEnd() {
        let continuations = state.withLock { state in
            hasEnded.store(true, ordering: .releasing)
            defer { state.endContinuations.removeAll() }
            return state.endContinuations
        }
        for continuation in continuations { continuation.resume() }
    }

    /// Returns once the transfer engine's thread has ended and released everything; at once if it already has.
    func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if hasEnded.load(ordering: .acquiring) { return true }
                state.endContinuations.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
