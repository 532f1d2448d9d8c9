import FoundationEssentials
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import StoreAPI
import StoreModel

/// What Hummingbird carries beside a request; the connection's channel is kept for event streams.
struct ServerRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}

/// One request as the routes see it. Everything they read of it is read here, so that bad input has one answer.
struct APIRequest: Sendable {
    let httpRequest: Request
    let context: ServerRequestContext
    let route: RouteTable.Route
    private let parameters: [String: String]

    /// - Throws: `request.malformed` where a parameter is not as the route describes it.
    init(_ httpRequest: Request, _ context: ServerRequestContext, _ route: RouteTable.Route) throws {
        self.httpRequest = httpRequest
        self.context = context
        self.route = route
        parameters = try QueryParameters.read(httpRequest.uri.query ?? "")
        try check()
    }

    /// A part of the path, decoded once.
    func identifier(_ name: String = "id") throws -> String {
        guard let identifier = context.parameters.get(name).flatMap(PathSegment.decode) else {
            throw ServerError(
                .requestMalformed,
                "'\(httpRequest.uri.path)' holds an escape that is not one, or bytes that are not UTF-8."
            )
        }
        return identifier
    }

    /// What the path holds after the last fixed part, decoded once.
    func restOfPath() throws -> String {
        let parts = try context.parameters.getCatchAll().map { part in
            guard let part = PathSegment.decode(part) else {
                throw ServerError(.requestMalformed, "'\(httpRequest.uri.path)' holds an escape that is not one.")
            }
            return part
        }
        return parts.joined(separator: "/")
    }

    /// A parameter of the query; `nil` where it is missing or empty.
    func query(_ name: String) -> String? {
        parameters[name].flatMap { $0.isEmpty ? nil : $0 }
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

    func flag(_ name: String) -> Bool { query(name) == "true" }

    /// The languages that whoever asks wants texts in, the best first.
    var languages: [String] { AcceptedLanguages.read(httpRequest.headers[.acceptLanguage] ?? "") }

    // MARK: Holding it to what the route takes

    private func check() throws {
        guard let endpoint = route.endpoint else { return }
        let known = endpoint.parameters.filter { $0.place == .query }
        if let name = parameters.keys.filter({ name in !known.contains { $0.name == name } }).min() {
            let names = known.map { "'\($0.name)'" }.joined(separator: ", ")
            throw ServerError(
                .requestMalformed,
                "'\(httpRequest.uri.path)' has no parameter '\(name)'" + (names.isEmpty ? "." : ", only \(names)."))
        }
        for parameter in endpoint.parameters {
            switch parameter.place {
            case .query:
                if let text = parameters[parameter.name] { try parameter.check(text) }
            case .path:
                try parameter.check(identifier(parameter.name))
            case .header:
                // An empty header says as much as none. The names are tokens, as HTTP asks for.
                if let text = httpRequest.headers[.init(parameter.name)!], !text.isEmpty { try parameter.check(text) }
            }
        }
    }
}

/// The parameters of a query.
enum QueryParameters {
    /// By name. As forms write it, `+` is a space.
    ///
    /// - Throws: `request.malformed` for an escape that is not one, and for a parameter that is given twice.
    static func read(_ query: String) throws -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = sides.map { PathSegment.decode($0.map { $0 == "+" ? "%20" : String($0) }.joined()) }
            guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "" else {
                throw ServerError(
                    .requestMalformed, "'?\(query)' holds an escape that is not one, or bytes that are not UTF-8.")
            }
            guard parameters.updateValue(value, forKey: name) == nil else {
                throw ServerError(.requestMalformed, "The parameter '\(name)' is given twice.")
            }
        }
        return parameters
    }
}
