import FoundationEssentials
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import StoreAPI
import StoreModel

/// What Hummingbird carries beside a request; the connection's channel is kept for event streams.
struct CallContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}

/// One request as the routes see it. Everything they read of it is read here, so that bad input has one answer.
struct Call: Sendable {
    /// No request of this interface needs more: the largest is a list of productIdentifiers.
    static let largestBody = 1 << 20

    let request: Request
    let context: CallContext

    /// A part of the path, decoded once.
    func identifier(_ name: String = "id") throws -> String {
        guard let identifier = context.parameters.get(name).flatMap(PathSegment.decode) else {
            throw ServerError(
                .requestMalformed, "'\(request.uri.path)' holds an escape that is not one, or bytes that are not UTF-8."
            )
        }
        return identifier
    }

    /// What the path holds after the last fixed part, decoded once.
    func restOfPath() throws -> String {
        let parts = try context.parameters.getCatchAll().map { part in
            guard let part = PathSegment.decode(part) else {
                throw ServerError(.requestMalformed, "'\(request.uri.path)' holds an escape that is not one.")
            }
            return part
        }
        return parts.joined(separator: "/")
    }

    /// A parameter of the query; `nil` where it is missing or empty.
    func query(_ name: String) -> String? {
        request.uri.queryParameters[name[...]].flatMap { $0.isEmpty ? nil : String($0) }
    }

    /// A parameter of the query that has to be what `read` takes.
    ///
    /// - Parameter expected: what it may be, for the message.
    func query<Value>(_ name: String, expected: String, _ read: (String) -> Value?) throws -> Value? {
        guard let text = query(name) else { return nil }
        guard let value = read(text) else {
            throw ServerError(.requestMalformed, "The parameter '\(name)' must be \(expected), not '\(text)'.")
        }
        return value
    }

    func flag(_ name: String) throws -> Bool {
        try query(name, expected: "'true' or 'false'") { Bool($0) } ?? false
    }

    /// The languages that whoever asks wants texts in, the best first.
    var languages: [String] { AcceptedLanguages.read(request.headers[.acceptLanguage] ?? "") }

    /// The body as a value.
    func body<Value: Decodable>(_ type: Value.Type = Value.self) async throws -> Value {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: Call.largestBody)
        } catch is NIOTooManyBytesError {
            throw ServerError(.requestTooLarge, "The request's body has more than \(Call.largestBody) bytes.")
        }
        do {
            return try JSON.decode(from: Data(buffer.readableBytesView))
        } catch {
            throw ServerError(
                .requestMalformed, "The request's body is not what this resource takes: \(Self.reason(error))")
        }
    }

    /// The first line of what the decoder found, with the place of it.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, _): return "the member '\(key.stringValue)' is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let place = context.codingPath.map(\.stringValue).joined(separator: ".")
            return place.isEmpty
                ? "it is not valid JSON, or not an object." : "the member '\(place)' is of another type."
        @unknown default: return "\(error)"
        }
    }
}
