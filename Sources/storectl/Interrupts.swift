import Dispatch
import Glibc
import StoreModel

/// Ctrl-C as the cancellation of what runs.
enum Interrupts {
    /// Runs `body`; the first SIGINT cancels it, so that it can say what becomes of its work, a second one ends the
    /// program at once.
    static func cancelling<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        listen(first: { task.cancel() }, again: { exit(ExitCode.interrupted.rawValue) })
        return try await task.value
    }

    private static func listen(first: @escaping @Sendable () -> Void, again: @escaping @Sendable () -> Void) {
        var before = sigaction()
        sigaction(SIGINT, nil, &before)
        // Whoever started us (nohup, a shell in the background) may have said that we don't get it.
        let isIgnored = unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1
        let arrivals = signalPipe
        guard !isIgnored, arrivals.read >= 0 else { return }
        DispatchQueue(label: "storectl.interrupts").async {
            var count = 0
            var byte: UInt8 = 0
            while read(arrivals.read, &byte, 1) > 0 {
                count += 1
                if count == 1 { first() } else { again() }
            }
        }
        // Threads that we did not make wait with signals open to them, so that only a handler surely hears of this one.
        // It does nothing but write, which is allowed there (signal-safety(7)); the pipe was made above.
        signal(SIGINT) { _ in
            var byte: UInt8 = 1
            let number = errno
            _ = write(signalPipe.write, &byte, 1)
            errno = number
        }
    }
}

/// From the signal's handler to whoever waits for it; -1 where the system has no descriptor left.
private let signalPipe: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
}()
