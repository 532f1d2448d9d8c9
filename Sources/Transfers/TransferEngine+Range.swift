public import StoreSystem

extension TransferEngine {
    /// Fetches a part of a file and writes it to the same place of `file`, so that the parts of one file come together
    /// where they belong. Nothing proves them here: whoever asks knows what they must be.
    ///
    /// After an error, or when cancelled, `file` holds the bytes of the range that `progress` told of last, from its
    /// beginning on.
    ///
    /// - Parameters:
    ///   - range: not empty; in bytes, from the start of the file.
    ///   - size: that the whole file must have.
    ///   - progress: called with the number of bytes of the range that are here, after writes and at the end; on a queue
    ///     of its own, never after this function has returned.
    /// - Throws: ``TransferError``, or ``FileError`` where the disk is the reason. `transfer.range-mismatch` where the
    ///   server sends the whole file, another part, or a part of a file of another size: asking again does not help.
    public func fetch(
        _ range: Range<Int>, of request: TransferRequest, size: Int, into file: OpenFile,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws {
        try request.check()
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= size, request.method == "GET" else {
            throw TransferError.badRequest(request.url, "there is no such part of it")
        }
        let bufferSize = min(max(range.count, 64 << 10), 512 << 10)
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
