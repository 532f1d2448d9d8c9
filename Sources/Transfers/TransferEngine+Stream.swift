/// The body of an answer, piece by piece as it comes. To be read by one reader, once.
///
/// A reader that is slow, or stops, makes the server wait: at most 256 KiB (and one piece of libcurl's)
/// are kept for it. The transfer is broken off when the reader's task is cancelled, and when the body is let go of.
public final class TransferBody: Sendable, AsyncSequence {
    private let engine: TransferEngine
    private let job: TransferJob
    private let buffer: BodyBuffer

    init(_ engine: TransferEngine, _ job: TransferJob, _ buffer: BodyBuffer) {
        self.engine = engine
        self.job = job
        self.buffer = buffer
    }

    deinit { engine.cancel(job) }

    /// Breaks the transfer off: what has come can still be read, then `CancellationError` is thrown.
    public func cancel() { engine.cancel(job) }

    public func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: TransferBody

        /// The next bytes, at least one; `nil` at the end of the body.
        ///
        /// - Throws: ``TransferError``, or `CancellationError`.
        public func next() async throws -> [UInt8]? { try await body.next() }
    }

    private func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await buffer.take { engine.resume(job) }
        } onCancel: {
            cancel()
        }
    }
}

extension TransferEngine {
    /// Asks for a body that has no end, or need not be kept: it is handed over as it comes. Returns when the
    /// headers of the answer are here; any status is an answer.
    ///
    /// For streams in which long silence is normal set ``TransferTimeouts/patient``.
    ///
    /// - Throws: ``TransferError``; `transfer.bad-request` for a `file` URL.
    public func stream(_ request: TransferRequest) async throws -> (response: TransferResponse, body: TransferBody) {
        try request.check()
        guard !request.isLocalFile else { throw TransferError.badRequest(request.url, "files are not streamed") }
        // Pieces go to the reader as they are, so that a large buffer would be of no use.
        let job = TransferJob(request)
        let buffer = BodyBuffer()
        let body = TransferBody(self, job, buffer)
        let response = try await run(job) { StreamSink(request, buffer, waiting: $0) }
        return (response, body)
    }
}
