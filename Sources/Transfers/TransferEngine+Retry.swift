public import FoundationEssentials
public import StoreModel

extension TransferEngine {
    /// Downloads a file with as many attempts as a policy allows.
    ///
    /// Attempts are counted by ``RetryBudget``; the minimum number of bytes of the stall limit is the step that counts as
    /// progress.
    ///
    /// - Parameters:
    ///   - request: the request for the file.
    ///   - partial: the file to fill.
    ///   - expected: the size and hash that the file must have, where they are known.
    ///   - policy: the number of attempts and the delays between them.
    ///   - waits: receives the error of a failed attempt and the delay before the next one.
    ///   - progress: receives progress as in a single attempt.
    /// - Throws: the error of the last attempt.
    public func download(
        _ request: TransferRequest, into partial: PartialFile, expecting expected: ExpectedContent = .init(),
        retry policy: RetryPolicy, waits: @escaping @Sendable (StoreError, Duration) -> Void = { _, _ in },
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> DownloadedFile {
        try await download(
            from: MirrorList(request.url), into: partial, expecting: expected, retry: policy, request: { _ in request },
            waits: waits, progress: { progress($1) })
    }

    /// Downloads a file from several mirrors with as many attempts as a policy allows; an attempt has failed when each
    /// mirror has.
    public func download(
        from mirrors: MirrorList, into partial: PartialFile, expecting expected: ExpectedContent = .init(),
        retry policy: RetryPolicy, request: (URL) -> TransferRequest,
        waits: @escaping @Sendable (StoreError, Duration) -> Void = { _, _ in },
        progress: @escaping @Sendable (URL, TransferProgress) -> Void = { _, _ in }
    ) async throws -> DownloadedFile {
        var mirrors = mirrors
        var budget = RetryBudget(
            policy, at: partial.size, step: request(mirrors.first).timeouts.stall?.bytes ?? 1)
        while true {
            let failure: StoreError
            do {
                return try await download(
                    from: &mirrors, into: partial, expecting: expected, request: request, progress: progress)
            } catch let error as StoreError where error.isTransferFailure {
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
