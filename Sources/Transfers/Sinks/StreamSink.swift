import StoreModel

/// The receiver of a streamed response, which fills a ``StreamBuffer``.
///
/// It resumes its caller as soon as the response's headers are complete.
final class StreamSink: BodySink {
    private let request: TransferRequest
    private let buffer: StreamBuffer
    private var waiting: CheckedContinuation<TransferResponse, any Error>?
    private var count = 0

    init(_ request: TransferRequest, _ buffer: StreamBuffer, waiting: CheckedContinuation<TransferResponse, any Error>)
    {
        self.request = request
        self.buffer = buffer
        self.waiting = waiting
    }

    func begin(_ response: TransferResponse) throws {
        waiting?.resume(returning: response)
        waiting = nil
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if let limit = request.sizeLimit, count + bytes.count > limit {
            throw StoreError.tooLong(request.url, limit: limit)
        }
        guard buffer.offer(bytes) else { return false }
        count += bytes.count
        return true
    }

    func end(_ failure: (any Error)?) {
        buffer.finish(failure)
        waiting?.resume(
            throwing: failure ?? StoreError.badResponse(request.url, "it has no headers", isTransient: true))
        waiting = nil
    }
}
