extension TimeSource {
    /// Runs `body`, and cancels it when a time limit has passed.
    ///
    /// Returns only when `body` has ended, which therefore has to react to cancellation.
    ///
    /// - Parameters:
    ///   - limit: the time limit.
    ///   - name: a name for the wait, which tests find it by.
    ///   - error: the error for a `body` that did not end in time.
    /// - Throws: `error`, or the errors of `body`.
    public func withDeadline<Value: Sendable>(
        _ limit: Duration, _ name: String, error: StoreError,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let value = try await withThrowingTaskGroup(of: Value?.self) { group -> Value? in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                try await sleep(limit, name)
                return nil
            }
            // The first to end: the body with its value, or the wait without one.
            return try await group.next() ?? nil
        }
        guard let value else { throw error }
        return value
    }
}
