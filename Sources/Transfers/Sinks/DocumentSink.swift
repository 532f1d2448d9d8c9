import FoundationEssentials
import StoreModel

/// The receiver of a transfer's response that collects the body of a small document in memory, up to a limit.
final class DocumentSink: BodySink {
    typealias Result = (TransferResponse, Data)

    private let request: TransferRequest
    private let limit: Int
    private let waiting: CheckedContinuation<Result, any Error>
    private var response: TransferResponse?
    private var body = Data()

    init(_ request: TransferRequest, limit: Int, waiting: CheckedContinuation<Result, any Error>) {
        self.request = request
        self.limit = limit
        self.waiting = waiting
    }

    func begin(_ response: TransferResponse) throws {
        // The response to HEAD declares a length and has no body.
        if request.method != "HEAD", response.contentLength ?? 0 > limit {
            throw StoreError.tooLong(request.url, limit: limit)
        }
        self.response = response
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if body.count + bytes.count > limit { throw StoreError.tooLong(request.url, limit: limit) }
        body.append(contentsOf: bytes)
        return true
    }

    func end(_ failure: (any Error)?) {
        if let failure {
            waiting.resume(throwing: failure)
        } else if let response {
            waiting.resume(returning: (response, body))
        } else {
            waiting.resume(throwing: StoreError.badResponse(request.url, "it has no headers", isTransient: true))
        }
    }
}
