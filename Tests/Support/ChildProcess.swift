import Glibc
import StoreSystem
import Synchronization

/// A child process that a test starts.
///
/// Replaces Foundation's `Process`, which occasionally crashes when many tests start programs concurrently.
public final class ChildProcess: Sendable {
    public let pid: Int32
    private enum State {
        case running([CheckedContinuation<Int32, Never>])
        case ended(Int32)
    }
    private let state = Mutex(State.running([]))

    public struct SpawnError: Error {
        public let program: String
        public let errno: Int32
    }

    /// Starts a program.
    ///
    /// The program inherits the descriptors of the test that are open without close-on-exec.
    ///
    /// - Parameters:
    ///   - path: the path of the program.
    ///   - input: a file for standard input; empty by default.
    ///   - output: a file for standard output, which is discarded by default.
    ///   - errors: a file for standard error, which is discarded by default.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String], input: String = "/dev/null",
        output: String = "/dev/null", errors: String = "/dev/null"
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var child: pid_t = 0
        let number = SpawnAttributes.withDefaultSignals { pointer in
            let attributes = pointer.assumingMemoryBound(to: posix_spawnattr_t.self)
            var number = posix_spawn(&child, path, &actions, attributes, &words, &variables)
            // A program that was just copied may still be open for writing in a child that another test is starting.
            for _ in 0..<500 where number == ETXTBSY {
                usleep(10_000)
                number = posix_spawn(&child, path, &actions, attributes, &words, &variables)
            }
            return number
        }
        guard number == 0 else { throw SpawnError(program: path, errno: number) }
        pid = child
        waitInBackground()
    }

    /// Waits for the program on a thread of its own, because the threads of the concurrency pool must not block.
    private func waitInBackground() {
        let box = Unmanaged.passRetained(self)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                // Retained by `waitInBackground` for this call.
                let process = Unmanaged<ChildProcess>.fromOpaque(argument!).takeRetainedValue()
                process.wait()
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
    }

    private func wait() {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7f
        let code = signal == 0 ? (status >> 8) & 0xff : 128 + signal
        let waiting: [CheckedContinuation<Int32, Never>] = state.withLock { state in
            guard case .running(let waiting) = state else { return [] }
            state = .ended(code)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: code) }
    }

    /// Waits until the program exits.
    ///
    /// - Returns: the exit code, or 128 plus the signal number if a signal ended the program, as in a shell.
    public func result() async -> Int32 {
        await withCheckedContinuation { continuation in
            let code: Int32? = state.withLock { state in
                switch state {
                case .ended(let code): return code
                case .running(let waiting):
                    state = .running(waiting + [continuation])
                    return nil
                }
            }
            if let code { continuation.resume(returning: code) }
        }
    }

    public var isRunning: Bool {
        state.withLock { if case .running = $0 { true } else { false } }
    }

    public func signal(_ number: Int32) {
        // The process identifier of a program that was already waited for may be in use by another process.
        state.withLock { if case .running = $0 { kill(pid, number) } }
    }
}
