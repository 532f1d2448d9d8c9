import FoundationEssentials
import Hummingbird
import NIOCore
import StoreModel

extension APIRequest {
    /// No request of this interface needs more: the largest is a list of productIdentifiers.
    static let largestBody = 1 << 20

    /// The body as a value.
    ///
    /// - Throws: `request.media-type`, `request.too-large`; `request.malformed` where it is not what the route's description
    ///   says, with the member that is wrong.
    func body<Value: Decodable>(_ type: Value.Type = Value.self) async throws -> Value {
        try requireJSON()
        let data = try await bodyBytes()
        let document = try decode(JSONValue.self, from: data) { _ in "it is not valid JSON." }
        if let name = route.endpoint?.body, let schema = Components.all[name] {
            do {
                try schema.check(document, with: Components.all)
            } catch {
                throw malformed(error.sentence)
            }
        }
        return try decode(from: data, reason: Self.reason)
    }

    /// Takes no body but the empty ones that some clients send with every order.
    func refuseBody() async throws {
        let data = try await bodyBytes()
        guard data.isEmpty || (try? JSON.decode(JSONValue.self, from: data)) == .object([:]) else {
            throw ServerError(
                .requestMalformed, "\(httpRequest.method.rawValue) of '\(httpRequest.uri.path)' takes no body.")
        }
    }

    private func requireJSON() throws {
        // Who says nothing means JSON. What a web page may send without asking is always of another type.
        guard let type = httpRequest.headers[.contentType] else { return }
        let name = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        guard name == "application/json" else {
            throw ServerError(
                .requestMediaType, "The request's body is '\(type)'. Send JSON, and 'Content-Type: application/json'.")
        }
    }

    private func bodyBytes() async throws -> Data {
        do {
            return Data(try await httpRequest.body.collect(upTo: APIRequest.largestBody).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ServerError(.requestTooLarge, "The request's body has more than \(APIRequest.largestBody) bytes.")
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

    private func malformed(_ reason: String) -> ServerError {
        ServerError(.requestMalformed, "The request's body is not what this resource takes: \(reason)")
    }

    /// What the decoder found that the description does not rule out.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, _): return "the member '\(key.stringValue)' is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' is of another type."
        @unknown default: return "\(error)"
        }
    }
}
