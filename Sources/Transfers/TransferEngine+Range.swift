public import Files

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
    ///   - progress: told how many bytes of the range are here, at most ten times a second, and at the end; on a queue
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
            try await run(job) { RangeSink(job, range, of: size, into: file, reporter: reporter, waiting: $0) }
            await reporter.finish()
        } catch {
            await reporter.finish()
            throw error
        }
    }
}

/// Puts a part of a file where it belongs, and takes nothing else.
final class RangeSink: BodySink {
    private let job: TransferJob
    private let range: Range<Int>
    private let size: Int
    private let file: OpenFile
    private let reporter: ProgressReporter
    private let waiting: CheckedContinuation<Void, any Error>
    private var hasBegun = false
    /// Bytes of the range that are in the file.
    private var written = 0
    private var gathered: [UInt8] = []
    private var nextReport = ContinuousClock.now

    init(
        _ job: TransferJob, _ range: Range<Int>, of size: Int, into file: OpenFile, reporter: ProgressReporter,
        waiting: CheckedContinuation<Void, any Error>
    ) {
        self.job = job
        self.range = range
        self.size = size
        self.file = file
        self.reporter = reporter
        self.waiting = waiting
    }

    func begin(_ response: TransferResponse) throws {
        guard response.status == 200 || response.status == 206 || response.status == 416 else {
            throw TransferError.httpStatus(response)
        }
        // Not all servers know the size; those that do must mean the same file.
        guard response.status == 206, let answer = response.contentRange, let bytes = answer.bytes,
            bytes.lowerBound == range.lowerBound, bytes.upperBound == range.upperBound - 1,
            answer.total ?? size == size
        else {
            throw TransferError.partRefused(
                job.request.url, range, response.headers["content-range"] ?? "status \(response.status)")
        }
        hasBegun = true
        gathered.reserveCapacity(min(PartSink.gatherSize + (16 << 10), range.count))
        report()
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        guard written + gathered.count + bytes.count <= range.count else {
            throw TransferError.partRefused(job.request.url, range, "more than that")
        }
        gathered.append(contentsOf: bytes)
        if gathered.count >= PartSink.gatherSize { try write() }
        if ContinuousClock.now >= nextReport { report() }
        return true
    }

    private func write() throws {
        try gathered.withUnsafeBytes { try file.write($0, at: range.lowerBound + written) }
        written += gathered.count
        gathered.removeAll(keepingCapacity: true)
    }

    private func report() {
        reporter.report(TransferProgress(received: written, expected: range.count, resumedFrom: 0))
        nextReport = .now + FileDownload.reportInterval
    }

    func end(_ failure: (any Error)?) {
        do {
            if failure == nil { try write() } else { try? write() }
            if hasBegun { report() }
            if let failure { throw failure }
            guard hasBegun else {
                throw TransferError.badAnswer(job.request.url, "it has no headers", isTransient: true)
            }
            guard written == range.count else {
                throw TransferError.tooShort(job.request.url, received: written, expected: range.count)
            }
            waiting.resume()
        } catch {
            waiting.resume(throwing: error)
        }
    }
}
