import FoundationEssentials
import Hummingbird
import StoreAPI
import StoreModel

extension Response {
    /// A value as JSON.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSON.encode(value))))
    }

    /// An error as RFC 9457 wants it.
    static func problem(_ report: ErrorReport, headers: HTTPFields = [:]) -> Response {
        let status = HTTPResponse.Status(for: report.code)
        var headers = headers
        headers[.contentType] = "application/problem+json"
        let body = (try? JSON.encode(ProblemDocument(report, status: status.code))) ?? Data()
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension APIRequest {
    /// A document as the answer to a question: nothing but its tag where whoever asks has it already.
    func answer(_ value: some Encodable) throws -> Response {
        answer(try JSON.encode(value), type: "application/json")
    }

    func answer(_ bytes: Data, type: String) -> Response { answer(TaggedDocument(bytes), type: type) }

    func answer(_ document: TaggedDocument, type: String) -> Response {
        var headers: HTTPFields = [.eTag: document.tag.text]
        if route.hasLanguage { headers[.vary] = "Accept-Language" }
        if document.tag.isKnown(to: httpRequest) == true { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = type
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: document.bytes))
    }
}

extension HTTPResponse.Status {
    /// The status that says the same as an error's code. A few codes have one of their own; else the exit code decides.
    init(for code: ErrorCode) {
        switch code.word {
        case "events.gone": self = .gone
        case ErrorCode.methodUnknown.word: self = .methodNotAllowed
        case ErrorCode.requestTooLarge.word: self = .contentTooLarge
        case ErrorCode.requestMediaType.word: self = .unsupportedMediaType
        case ErrorCode.cancelled.word: self = .conflict
        default:
            switch code.exitCode {
            case .usage: self = .badRequest
            case .notFound: self = .notFound
            case .network: self = .badGateway
            case .refused: self = .unprocessableContent
            case .space: self = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
            case .conflict: self = .conflict
            case .daemon: self = .serviceUnavailable
            case .notEntitled: self = HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")
            case .done, .failed, .partial, .updatesAvailable, .interrupted: self = .internalServerError
            }
        }
    }
}
