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

    /// The signal is kept from every thread and waited for by one: nothing runs in a signal handler.
    private static func listen(first: @escaping @Sendable () -> Void, again: @escaping @Sendable () -> Void) {
        var before = sigaction()
        sigaction(SIGINT, nil, &before)
        // Whoever started us (nohup, a shell in the background) may have said that we don't get it.
        let ignored = unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1
        guard !ignored else { return }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        DispatchQueue(label: "storectl.interrupts").async { [signals] in
            var signals = signals
            var count = 0
            while true {
                var number: Int32 = 0
                guard sigwait(&signals, &number) == 0 else { return }
                count += 1
                if count == 1 { first() } else { again() }
            }
        }
    }
}
