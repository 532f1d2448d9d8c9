public import FoundationEssentials

extension TransferEngine {
    /// Downloads a file with as many attempts as a policy allows. Attempts are counted from the last that brought bytes:
    /// however often a connection breaks, a file that comes on is waited for.
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
        var attempt = 1
        var reached = partial.size
        while true {
            let failure: TransferError
            do {
                return try await download(
                    from: &sources, into: partial, expecting: expected, request: request, progress: progress)
            } catch let error as TransferError {
                failure = error
            }
            if partial.size > reached { attempt = 1 }
            reached = partial.size
            guard failure.isTransient,
                let wait = policy.wait(
                    after: attempt, retryAfter: failure.retryAfter, jitter: .random(in: 0...1))
            else { throw failure }
            waits(failure, wait)
            try await Task.sleep(for: wait)
            attempt += 1
        }
    }
}
