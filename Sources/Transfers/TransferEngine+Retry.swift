extension TransferEngine {
    /// Downloads a file with as many attempts as a policy allows, counted as ``RetryBudget`` does.
    ///
    /// - Parameters:
    ///   - waits: told why another attempt is made, and after how long.
    ///   - progress: as with one attempt.
    /// - Throws: the error of the last attempt; as for one.
    public func download(
        _ request: TransferRequest, into partial: PartialFile, expecting expected: ExpectedContent = .init(),
        retry policy: RetryPolicy, waits: @escaping @Sendable (TransferError, Duration) -> Void = { _, _ in },
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> Downloaded {
        var request = request
        var budget = RetryBudget(policy, at: partial.size)
        while true {
            let failure: TransferError
            do {
                return try await download(request, into: partial, expecting: expected, progress: progress)
            } catch let error as TransferError {
                failure = error
            }
            guard failure.isTransient,
                let wait = budget.wait(
                    afterFailureAt: partial.size, retryAfter: failure.retryAfter, jitter: .random(in: 0...1))
            else { throw failure }
            waits(failure, wait)
            try await Task.sleep(for: wait)
            // What came under this tag can be gone on with although nothing else proves it.
            request.ifRange = request.ifRange ?? partial.etag
        }
    }
}
