import NIOCore

extension APIRequest {
    /// Runs work whose result only this client uses, and cancels it when the connection of the HTTP request closes.
    ///
    /// The client has disconnected then, or the daemon is shutting down. Work that changes something is only run by this
    /// method if it may be left undone, or done in part.
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
