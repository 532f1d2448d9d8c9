import NIOCore

extension APIRequest {
    /// Runs work that only reads, and cancels it when the connection of the HTTP request closes.
    ///
    /// The result is then of no use: the client has disconnected, or the daemon is shutting down. Work that changes
    /// something must not be run by this method, because a client may close its connection and still expect the change.
    ///
    /// - Throws: what `body` throws; `CancellationError` where the connection closed.
    func cancelledOnClose<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let work = Task(operation: body)
        context.connections?.cancelOnClose(of: context.channel) { work.cancel() }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }
}
