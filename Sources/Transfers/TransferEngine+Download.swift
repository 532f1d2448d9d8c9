import FoundationEssentials
import StoreModel

extension TransferEngine {
    /// Downloads a file, or the bytes of it that are missing, and verifies the result.
    ///
    /// The download is resumed from the bytes in `partial` where the result can be verified: by the file's hash, or by
    /// a strong entity tag in ``TransferRequest/ifRange``. It starts over at the first byte where the file has changed,
    /// where the server can't send ranges, and where the hash is wrong and the bytes include those of an earlier
    /// process; ``DownloadedFile/resumedFrom`` is then 0. Nothing is requested where `partial` has all bytes of a file
    /// that is not empty, of the expected size and hash.
    ///
    /// After an error or a cancellation, `partial` holds the bytes that were received, so that the same call resumes
    /// the download; if the bytes themselves were wrong, it is empty. Nothing is synced to the disk.
    ///
    /// - Parameters:
    ///   - request: the request for the file, with the method `GET`.
    ///   - partial: the file to fill.
    ///   - expected: the size and hash that the file must have, where they are known.
    ///   - progress: receives progress shortly after the headers have arrived, unless the file is complete by then,
    ///     then periodically, and at the end. It is called on a queue of its own, or at the end by the caller's task,
    ///     so it must not block; never after this method has returned.
    /// - Throws: `StoreError` with a code of the module, or an error of the disk; `CancellationError`. A size or hash
    ///   that differs from `expected` is `content.size-mismatch` or `content.hash-mismatch`. A status other than 2xx is
    ///   `transfer.http-status`, and one of 2xx without a file `transfer.bad-answer`.
    public func download(
        _ request: TransferRequest, into partial: PartialFile, expecting expected: ExpectedContent = .init(),
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> DownloadedFile {
        try await download(request, into: partial, expecting: expected, keepsWrongBytes: false, progress: progress)
    }

    /// Downloads a file as the public method does, and can leave it to the caller to discard bytes with a wrong hash.
    ///
    /// - Parameter keepsWrongBytes: whether all bytes are kept when their hash is wrong, so that the caller can discard
    ///   some of them.
    func download(
        _ request: TransferRequest, into partial: PartialFile, expecting expected: ExpectedContent,
        keepsWrongBytes: Bool,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> DownloadedFile {
        try request.check()
        guard request.method == "GET" else {
            throw StoreError.badRequest(request.url, "a file is downloaded with GET")
        }
        if let done = try completed(partial, expected) { return done }
        let startsOver = !canResume(request, partial, expected)
        try await partial.truncateUnverifiedTail()

        let (reporter, isInherited) = (ProgressReporter(progress), partial.isInherited)
        do {
            let done: DownloadedFile
            do {
                done = try await attempt(
                    request, partial, expected, keepsWrongBytes, startsOver: startsOver, reporter)
            } catch is RangeNotSatisfiable {
                try partial.restart()
                done = try await attempt(request, partial, expected, keepsWrongBytes, reporter)
            } catch let error as StoreError where error.code == .contentHashMismatch && isInherited && !keepsWrongBytes
            {
                // The wrong bytes may be those of the earlier process, and not those that the server sent.
                try partial.restart()
                done = try await attempt(request, partial, expected, keepsWrongBytes, reporter)
            }
            await reporter.finish()
            return done
        } catch {
            await reporter.finish()
            throw error
        }
    }

    private func attempt(
        _ request: TransferRequest, _ partial: PartialFile, _ expected: ExpectedContent, _ keepsWrongBytes: Bool,
        startsOver: Bool = false, _ reporter: ProgressReporter
    ) async throws -> DownloadedFile {
        var policy = Segmentation.Policy()
        policy.connections = connectionsPerFile
        return try await FileDownload(
            self, request, into: partial, expecting: expected, keepsWrongBytes: keepsWrongBytes,
            startsOver: startsOver, policy: policy, reporter: reporter
        ).run()
    }

    /// Returns the download's result where the whole file is there, verified and not empty; otherwise `nil`.
    ///
    /// Bytes of the expected number or more that are not the expected content are discarded.
    private func completed(_ partial: PartialFile, _ expected: ExpectedContent) throws -> DownloadedFile? {
        let size = partial.size
        guard size > 0, let expectedSize = expected.size, size >= expectedSize else { return nil }
        if size == expectedSize, let sha256 = expected.sha256, partial.sha256 == sha256 {
            return DownloadedFile(size: size, sha256: sha256, resumedFrom: size, source: nil, response: nil)
        }
        try partial.restart()
        return nil
    }

    private func canResume(_ request: TransferRequest, _ partial: PartialFile, _ expected: ExpectedContent) -> Bool {
        if partial.size == 0 || expected.sha256 != nil { return true }
        return request.strongTag != nil
    }
}
