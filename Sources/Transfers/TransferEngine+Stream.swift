import StoreModel

/// The body of a streamed response as an asynchronous sequence of byte arrays, for one reader and one iteration.
///
/// A slow reader makes the server wait: at most 256 KiB and one piece of libcurl are buffered. The transfer is cancelled
/// when the reader's task is cancelled, and when the body is released.
public final class TransferBody: Sendable, AsyncSequence {
    private let engine: TransferEngine
    private let job: TransferJob
    private let buffer: StreamBuffer

    init(_ engine: TransferEngine, _ job: TransferJob, _ buffer: StreamBuffer) {
        self.engine = engine
        self.job = job
        self.buffer = buffer
    }

    deinit { engine.cancel(job) }

    /// Cancels the transfer of the response's body.
    ///
    /// Bytes that have arrived can still be read, then `CancellationError` is thrown, unless the body was complete.
    public func cancel() { engine.cancel(job) }

    /// Returns the iterator over the pieces of the response's body.
    public func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    /// An iterator over the pieces of a response's body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: TransferBody

        /// Returns the next bytes of the response's body, at least one; `nil` at the end of the body.
        ///
        /// - Throws: `StoreError` with a code of the module, or `CancellationError`.
        public func next() async throws -> [UInt8]? { try await body.next() }
    }

    private func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await buffer.next { engine.resume(job) }
        } onCancel: {
            cancel()
        }
    }
}

extension TransferEngine {
    /// Requests a URL and returns the response as soon as its headers have arrived, with its body as a stream.
    ///
    /// This is for a body that is endless or need not be stored.
    ///
    /// Any status is a result, not an error. For streams in which long silence is normal, use
    /// ``TransferTimeouts/patient``.
    ///
    /// - Throws: `StoreError` with a code of the module; `transfer.bad-request` for a `file` URL; `CancellationError`.
    public func stream(_ request: TransferRequest) async throws -> (response: TransferResponse, body: TransferBody) {
        try request.check()
        guard !request.isLocalFile else { throw StoreError.badRequest(request.url, "local files can't be streamed") }
        // Pieces are passed to the reader unchanged, so a large buffer is useless.
        let job = TransferJob(request)
        let buffer = StreamBuffer()
        let body = TransferBody(self, job, buffer)
        let response = try await run(job) { StreamSink(request, buffer, waiting: $0) }
        return (response, body)
    }
}
