import StoreModel
public import StoreSystem

extension TransferEngine {
    /// Fetches a range of a remote file and writes it to the same position of `file`.
    ///
    /// Ranges of one file can so be assembled.
    ///
    /// The bytes are not verified; that is up to the caller. After an error or a cancellation, `file` holds the first
    /// bytes of the range, as many as `progress` reported last, or none if it was not called.
    ///
    /// - Parameters:
    ///   - range: the bytes to fetch; not empty, and within `size`.
    ///   - request: the request for the file, with the method `GET`.
    ///   - size: the size that the complete file must have, in bytes.
    ///   - file: where to write the bytes.
    ///   - progress: receives the number of bytes of the range that are in the file, on a queue of its own, and never
    ///     after this method has returned.
    /// - Throws: `StoreError` with a code of the module, or an error of the disk; `CancellationError`.
    ///   `transfer.range-mismatch` where the server sends the complete file, another range, or a range of a file of
    ///   another size; a retry does not help.
    public func fetch(
        _ range: Range<Int>, of request: TransferRequest, size: Int, into file: OpenFile,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws {
        try request.check()
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= size, request.method == "GET" else {
            throw StoreError.badRequest(request.url, "the range is not valid")
        }
        let bufferSize = min(max(range.count, 32 << 10), 512 << 10)
        let job = TransferJob(request, offset: range.lowerBound, end: range.upperBound, bufferSize: bufferSize)
        let reporter = ProgressReporter(progress)
        do {
            try await run(job) { [self] in
                RangeSink(
                    job, range, of: size,
                    into: RangeWriter(file, range.lowerBound, reporter: reporter, of: range.count),
                    hasRoomAgain: { [weak self] in self?.resume(job) }, waiting: $0)
            }
            await reporter.finish()
        } catch {
            await reporter.finish()
            throw error
        }
    }
}
