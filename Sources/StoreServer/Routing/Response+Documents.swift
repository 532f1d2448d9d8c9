import FoundationEssentials
import Hummingbird
import StoreAPI
import StoreModel

extension Response {
    /// Creates an HTTP response whose body is a value encoded as JSON.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSON.encode(value))))
    }

    /// Creates an HTTP error response in the format of RFC 9457.
    static func problem(_ report: ErrorReport, headers: HTTPFields = [:]) -> Response {
        let (status, body) = report.problem
        var headers = headers
        headers[.contentType] = "application/problem+json"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// Whether the response is an error in the format of RFC 9457.
    var isProblem: Bool { headers[.contentType] == "application/problem+json" }
}

extension ErrorReport {
    /// The status and the body of an HTTP error response in the format of RFC 9457.
    var problem: (status: HTTPResponse.Status, body: Data) {
        let status = HTTPResponse.Status(for: code)
        let document = ProblemDocument(self, status: status.code, title: status.reasonPhrase)
        return (status, (try? JSON.encode(document)) ?? Data())
    }
}

extension APIRequest {
    /// Returns an HTTP response with a value as JSON and an entity tag.
    ///
    /// Its status is 304 if the client has the same content.
    func response(_ value: some Encodable) throws -> Response {
        response(try JSON.encode(value), mediaType: "application/json")
    }

    /// Returns a response with bytes and their entity tag, or 304 if the client has the same content.
    ///
    /// - Parameter headers: further header fields of either response.
    func response(_ bytes: Data, mediaType: String, headers: HTTPFields = [:]) -> Response {
        response(TaggedDocument(bytes), mediaType: mediaType, headers: headers)
    }

    /// Returns a response with a document and its entity tag, or 304 if the client has the same content.
    ///
    /// - Parameter headers: further header fields of either response.
    func response(_ document: TaggedDocument, mediaType: String, headers: HTTPFields = [:]) -> Response {
        response(ResponseBody(byteBuffer: document.bytes), tag: document.tag, mediaType: mediaType, headers: headers)
    }

    /// Returns a response with a body and its entity tag, or 304 if the client has the same content.
    ///
    /// - Parameter headers: further header fields of either response.
    func response(
        _ body: ResponseBody, tag: EntityTag, mediaType: String, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.eTag] = tag.text
        if route.variesByLanguage { headers[.vary] = "Accept-Language" }
        if tag.matchesIfNoneMatch(of: httpRequest) == true { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = mediaType
        return Response(status: .ok, headers: headers, body: body)
    }
}

/// The bytes of an HTTP response's body with their entity tag.
struct TaggedDocument: Sendable {
    let bytes: ByteBuffer
    let tag: EntityTag

    init(_ bytes: Data) {
        self.bytes = ByteBuffer(bytes: bytes)
        tag = EntityTag(of: bytes)
    }
}
