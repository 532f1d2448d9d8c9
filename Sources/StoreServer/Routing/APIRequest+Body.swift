import FoundationEssentials
import Hummingbird
import NIOCore
import StoreModel
import StoreOpenAPI

extension APIRequest {
    /// The maximum size of an HTTP request's body in bytes.
    ///
    /// The largest bodies that clients send are a list of product identifiers, and the agreement to a plan, which has
    /// 65 bytes for each of its steps.
    static let maximumBodySize = 1 << 20

    /// Returns the JSON body of the HTTP request, decoded as a value.
    ///
    /// - Throws: `request.media-type` if the body is not JSON, `request.too-large`, and `request.malformed` if the body
    ///   does not match the schema of the route.
    func body<Value: Decodable>(_ type: Value.Type = Value.self) async throws -> Value {
        let data = try await bodyData()
        guard !data.isEmpty else { throw malformed("it is empty") }
        let document = try decode(JSONValue.self, from: data) { error in
            (error as? JSONReader.Malformed)?.repeatedMember == nil ? "not valid JSON" : "\(error)"
        }
        if let reference = route.endpoint?.body {
            do {
                try reference.schema.validate(document)
            } catch {
                throw malformed("\(error)")
            }
        }
        return try decode(from: data, reason: Self.reason)
    }

    /// Checks that the HTTP request has no body, or an empty object, which some clients send with every request.
    ///
    /// - Throws: `request.media-type` if the body is not JSON, `request.malformed` for any other body, and
    ///   `request.too-large`.
    func rejectBody() async throws {
        let data = try await bodyData()
        guard data.isEmpty || (try? JSON.decode(JSONValue.self, from: data)) == .object([:]) else {
            throw StoreError(
                .requestBodyUnexpected,
                ["path": .untrusted(httpRequest.uri.path), "method": httpRequest.method.rawValue])
        }
    }

    /// Checks that the HTTP request declares its body as JSON.
    ///
    /// A web page can't send that type across origins without a preflight request, but it can send a body without a type
    /// (Fetch Standard, "CORS-safelisted request-header").
    private func requireJSON() throws {
        guard let type = httpRequest.headers[.contentType] else { throw StoreError(.requestBodyUndeclared) }
        let parts = type.lowercased().split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " && $0 != "\t" } }
        // JSON between systems is UTF-8 (RFC 8259, 8.1); other parameters have no meaning.
        let isOtherEncoding = parts.dropFirst().contains {
            $0.hasPrefix("charset=") && !["charset=utf-8", #"charset="utf-8""#].contains($0)
        }
        guard parts.first == "application/json", !isOtherEncoding else {
            throw StoreError(.requestBodyNotJSON, ["type": .untrusted(type)])
        }
    }

    /// Returns the body of the HTTP request, which is empty or declared as JSON.
    private func bodyData() async throws -> Data {
        let buffer = try await bodyBytes()
        if buffer.readableBytes > 0 { try requireJSON() }
        return Data(buffer.readableBytesView)
    }

    /// Returns the bytes of the HTTP request's body, which may have any media type.
    ///
    /// - Throws: `request.too-large`.
    func bodyBytes() async throws -> ByteBuffer {
        do {
            return try await httpRequest.body.collect(upTo: APIRequest.maximumBodySize)
        } catch is NIOTooManyBytesError {
            throw StoreError(.requestBodyTooLarge, ["limit": .bytes(APIRequest.maximumBodySize)])
        }
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from data: Data, reason: (any Error) -> String
    ) throws -> Value {
        do {
            return try JSON.decode(from: data)
        } catch {
            throw malformed(reason(error))
        }
    }

    private func malformed(_ reason: String) -> StoreError {
        StoreError(.requestBodyInvalid, ["reason": reason])
    }

    /// Returns the reason of a decoding error that validation against the JSON schema did not find.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, _): return "'\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has an invalid value"
        @unknown default: return "\(error)"
        }
    }
}
