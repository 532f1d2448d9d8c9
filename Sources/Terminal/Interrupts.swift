import StoreModel
import StoreSystem

/// A namespace for turning Ctrl-C (SIGINT) into the cancellation of a task.
package enum Interrupts {
    /// Runs `body` in a Swift task that Ctrl-C cancels.
    ///
    /// The first SIGINT cancels the task, so that `body` can report the state of its work; the second one ends the
    /// program immediately.
    package static func cancelling<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        Signal.handleInterrupts { count in
            if count == 1 { task.cancel() } else { CurrentProcess.exit(ExitCode.interrupted.rawValue) }
        }
        return try await task.value
    }
}
