public import FoundationEssentials
public import StoreModel

/// What is known beforehand of a file to download.
public struct ExpectedContent: Sendable, Hashable {
    /// In bytes.
    public var size: Int?
    public var sha256: SHA256Digest?

    public init(size: Int? = nil, sha256: SHA256Digest? = nil) {
        self.size = size
        self.sha256 = sha256
    }
}

/// A file that is here, all of it.
public struct Downloaded: Sendable {
    /// In bytes.
    public let size: Int
    public let sha256: SHA256Digest
    /// How many of the bytes were here before; 0 where the download began, or had to begin again, at the first.
    public let resumedFrom: Int
    /// Which address was asked; `nil` where nothing had to be.
    public let source: URL?
    /// The answer that brought the end of the file; `nil` where nothing had to be asked for.
    public let response: TransferResponse?

    public var etag: String? { response?.etag }
    public var lastModified: Date? { response?.lastModified }
}

extension TransferEngine {
    /// Downloads a file, or the part of it that is missing, and proves it while it comes.
    ///
    /// It goes on from ``PartialFile/size`` where the end can be proved: by the file's hash, or by a strong entity tag
    /// in ``TransferRequest/ifRange``. Where the file has changed, or the server can't send a part, it begins again
    /// at the first byte, and also where the hash shows that something is wrong and bytes of an earlier process are part
    /// of it; ``Downloaded/resumedFrom`` tells.
    ///
    /// After an error, or when cancelled, `partial` holds every byte that came and counts it, so that the same call
    /// goes on; unless the bytes themselves were wrong, then it is empty. Nothing is synced to the disk.
    ///
    /// - Parameters:
    ///   - progress: told of the answer's headers, then at most ten times a second, and at the end; on a queue of its
    ///     own, never after this function has returned.
    /// - Throws: ``TransferError``, or ``FileError`` where the disk is the reason. A size or hash that differs from
    ///   `expected` is `content.size-mismatch` or `content.hash-mismatch`; any status but 200 and 206 is
    ///   `transfer.http-status`.
    public func download(
        _ request: TransferRequest, into partial: PartialFile, expecting expected: ExpectedContent = .init(),
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> Downloaded {
        try await download(request, into: partial, expecting: expected, keepsWrong: false, progress: progress)
    }

    /// - Parameter keepsWrong: whether all bytes are left where they are when their hash is found to be wrong, for the
    ///   caller to drop some.
    func download(
        _ request: TransferRequest, into partial: PartialFile, expecting expected: ExpectedContent, keepsWrong: Bool,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> Downloaded {
        try request.check()
        guard request.method == "GET" else {
            throw TransferError.badRequest(request.url, "a file is downloaded with GET")
        }
        if let done = try completed(partial, expected) { return done }
        if !canResume(request, partial, expected) { try partial.restart() }
        try await partial.cutTail()

        let (reporter, isInherited) = (ProgressReporter(progress), partial.isInherited)
        do {
            let done: Downloaded
            do {
                done = try await attempt(request, partial, expected, keepsWrong, reporter)
            } catch is RangeNotThere {
                try partial.restart()
                done = try await attempt(request, partial, expected, keepsWrong, reporter)
            } catch let error as TransferError where error.code == .contentHashMismatch && isInherited && !keepsWrong {
                // What lay here may be what is wrong, and not what the server sent.
                try partial.restart()
                done = try await attempt(request, partial, expected, keepsWrong, reporter)
            }
            await reporter.finish()
            return done
        } catch {
            await reporter.finish()
            throw error
        }
    }

    private func attempt(
        _ request: TransferRequest, _ partial: PartialFile, _ expected: ExpectedContent, _ keepsWrong: Bool,
        _ reporter: ProgressReporter
    ) async throws -> Downloaded {
        var policy = Segmentation.Policy()
        policy.connections = connectionsPerFile
        return try await FileDownload(
            self, request, into: partial, expecting: expected, keepsWrong: keepsWrong, policy: policy,
            reporter: reporter
        ).run()
    }

    /// What there is to say where all bytes are here already.
    private func completed(_ partial: PartialFile, _ expected: ExpectedContent) throws -> Downloaded? {
        let size = partial.size
        guard size > 0, let expectedSize = expected.size, size >= expectedSize else { return nil }
        if size == expectedSize, let sha256 = expected.sha256, partial.sha256 == sha256 {
            return Downloaded(size: size, sha256: sha256, resumedFrom: size, source: nil, response: nil)
        }
        try partial.restart()
        return nil
    }

    private func canResume(_ request: TransferRequest, _ partial: PartialFile, _ expected: ExpectedContent) -> Bool {
        if partial.size == 0 || expected.sha256 != nil { return true }
        return request.strongTag != nil
    }
}
