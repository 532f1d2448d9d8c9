public import FoundationEssentials

extension TransferEngine {
    /// Downloads a file with as many attempts as a policy allows, counted as ``RetryBudget`` does: with the least that must
    /// come in one window of the stall limit as the step that counts.
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
        try await download(
            from: SourceList(request.url), into: partial, expecting: expected, retry: policy, request: { _ in request },
            waits: waits, progress: { progress($1) })
    }

    /// The same from several addresses: an attempt has failed when each of them has.
    public func download(
        from sources: SourceList, into partial: PartialFile, expecting expected: ExpectedContent = .init(),
        retry policy: RetryPolicy, request: (URL) -> TransferRequest,
        waits: @escaping @Sendable (TransferError, Duration) -> Void = { _, _ in },
        progress: @escaping @Sendable (URL, TransferProgress) -> Void = { _, _ in }
    ) async throws -> Downloaded {
        var sources = sources
        var budget = RetryBudget(
            policy, at: partial.size, step: request(sources.first).timeouts.stall?.bytes ?? 1)
        while true {
            let failure: TransferError
            do {
                return try await download(
                    from: &sources, into: partial, expecting: expected, request: request, progress: progress)
            } catch let error as TransferError {
                failure = error
            }
            guard failure.isTransient,
                let wait = budget.wait(
                    afterFailureAt: partial.size, retryAfter: failure.retryAfter, jitter: .random(in: 0...1))
            else { throw failure }
            waits(failure, wait)
            try await Task.sleep(for: wait)
        }
    }
}
