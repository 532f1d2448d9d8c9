import NIOCore

extension APIRequest {
    /// Runs work that only reads, and cancels it when the connection of the request closes.
    ///
    /// Nobody waits for its result then: the client has gone, or the daemon ends. Work that changes something does not
    /// run like this, because a client may close its connection and still expect the change.
    ///
    /// - Throws: what `body` throws; `CancellationError` where the connection closed.
    func cancelledOnClose<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let work = Task(operation: body)
        context.channel.closeFuture.whenComplete { _ in work.cancel() }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }
}
