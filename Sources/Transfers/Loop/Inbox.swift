import StoreCCurl
import Synchronization

/// One transfer, as those who asked for it and the engine's thread both know it.
final class TransferJob: Sendable {
    let request: TransferRequest
    /// The first byte of the file that is asked for.
    let offset: Int
    /// The byte behind the last; `nil` is all that follow.
    let end: Int?
    /// The strong entity tag that the file must still have.
    let ifRange: String?
    /// For how many bytes libcurl makes room at once.
    let bufferSize: Int
    /// Set before the command to cancel is posted, because that one may come before the one to start.
    let isCancelled = Atomic(false)

    /// Whether another transfer of the same file runs.
    let isExtra: Bool
    /// The server, for those that are to be considerate of one; `nil` for a unix socket.
    let host: String?

    /// Never the same for two, unless they bring parts of one file.
    let number: Int
    private static let numbers = Atomic(0)
    static func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

    /// Whether a part of the file is asked for, and not the file.
    var asksForPart: Bool { offset > 0 || end != nil }

    init(
        _ request: TransferRequest, offset: Int = 0, end: Int? = nil, ifRange: String? = nil,
        bufferSize: Int = 64 << 10, number: Int = nextNumber(), isExtra: Bool = false
    ) {
        self.isExtra = isExtra
        self.number = number
        self.request = request
        host = request.unixSocketPath == nil ? ServerKnowledge.name(of: request.url) : nil
        self.offset = offset
        self.end = end
        self.ifRange = ifRange
        self.bufferSize = bufferSize
    }
}

/// What the engine's thread is asked to do.
enum Command: Sendable {
    case start(TransferJob, makeSink: @Sendable () -> any BodySink)
    case cancel(TransferJob)
    /// There is room again for the bytes of a transfer that was paused.
    case resume(TransferJob)
    /// How many bytes may come from now on.
    case limit(BandwidthLimits)
    /// The rate of some transfer has changed.
    case pace
    /// End all transfers and then the thread.
    case stop
}

/// Commands on their way to the engine's thread, and the one libcurl call that other threads may make: to wake it.
final class Inbox: Sendable {
    private struct State {
        var commands: [Command] = []
        /// `nil` once the thread has ended, which closes the handle right after.
        var multi: UnsafeMutableRawPointer?
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }
    private let state: Mutex<State>

    /// - Parameter address: of the multi handle, as a number because a pointer can't be sent to another thread.
    init(multi address: UInt) {
        state = Mutex(State(multi: UnsafeMutableRawPointer(bitPattern: address)))
    }

    /// Hands a command over and wakes the thread. `false` where the thread has ended.
    @discardableResult
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            guard let multi = state.multi else { return false }
            state.commands.append(command)
            // Only the first of several has to wake it. The lock is held so that the handle can't be closed meanwhile.
            if state.commands.count == 1 { curl_multi_wakeup(multi) }
            return true
        }
    }

    /// All commands that came since the last time, in their order.
    func take() -> [Command] {
        state.withLock { state in
            defer { state.commands.removeAll() }
            return state.commands
        }
    }

    /// Takes no more commands; those that are left are returned. After this nothing but the caller uses the handle.
    func close() -> [Command] {
        state.withLock { state in
            state.multi = nil
            defer { state.commands.removeAll() }
            return state.commands
        }
    }

    /// Tells those who wait that the thread has let go of everything.
    func ended() {
        let waiting = state.withLock { state in
            hasEnded.store(true, ordering: .releasing)
            defer { state.waitingForEnd.removeAll() }
            return state.waitingForEnd
        }
        for continuation in waiting { continuation.resume() }
    }
    private let hasEnded = Atomic(false)

    func untilEnded() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if hasEnded.load(ordering: .acquiring) { return true }
                state.waitingForEnd.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
