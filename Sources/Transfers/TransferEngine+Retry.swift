public import FoundationEssentials
public import StoreModel

extension TransferEngine {
    /// Downloads a file from one URL, with as many attempts as a policy allows.
    ///
    /// Attempts are counted from the last one that made progress, by ``RetryBudget``; progress is as many bytes as the
    /// request's stall limit requires in one window, or one byte without that limit.
    ///
    /// - Parameters:
    ///   - request: the request for the file.
    ///   - partial: the file to fill.
    ///   - expected: the size and hash that the file must have, where they are known.
    ///   - policy: the number of attempts and the delays between them.
    ///   - waits: receives the error of a failed attempt and the delay before the next one.
    ///   - progress: receives the progress of each attempt, as for ``download(_:into:expecting:progress:)``.
    /// - Throws: the error of the last attempt; an attempt whose error is not transient is the last.
    ///   `CancellationError`.
    public func download(
        _ request: TransferRequest, into partial: PartialFile, expecting expected: ExpectedContent = .init(),
        retry policy: RetryPolicy, waits: @escaping @Sendable (StoreError, Duration) -> Void = { _, _ in },
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> DownloadedFile {
        try await download(
            from: MirrorList(request.url), into: partial, expecting: expected, retry: policy, request: { _ in request },
            waits: waits, progress: { progress($1) })
    }

    /// Downloads a file from several mirrors with as many attempts as a policy allows.
    ///
    /// An attempt has failed when each mirror has. Parameters and errors are those of the method with one request, and
    /// `request` returns the request for a mirror.
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
