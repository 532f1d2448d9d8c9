/// A route of an HTTP interface: a method and a path pattern, with the description of their endpoint.
public struct Route: Sendable {
    /// An HTTP method; the raw value is its name in requests.
    public enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The HTTP method of the requests that the route serves.
    public let method: Method
    /// The path pattern of the route: `:name` matches one segment, a final `**` one or more segments.
    public let path: String
    /// The description of the route's endpoint; `nil` for a route that accepts any parameter and body.
    ///
    /// Such a route is omitted from the OpenAPI document.
    public let endpoint: Endpoint?
    private let pathParameters: [String: Parameter]

    /// Creates a route of an HTTP interface.
    ///
    /// - Parameters:
    ///   - pathParameters: the descriptions of path parameters that have the same meaning in many routes, by name;
    ///     `path` is the name of the segments that `**` matches. The endpoint's own parameters take precedence.
    public init(method: Method, path: String, endpoint: Endpoint?, pathParameters: [String: Parameter] = [:]) {
        self.method = method
        self.path = path
        self.endpoint = endpoint
        self.pathParameters = pathParameters
    }

    /// The components of the route's path pattern, which is split at `/`.
    public var segments: [Substring] { path.split(separator: "/") }

    /// The route's path pattern in the notation of OpenAPI, such as `/v1/packs/{id}/files/{path}`.
    public var template: String {
        "/"
            + segments.map { segment in
                segment == "**" ? "{path}" : segment.hasPrefix(":") ? "{\(segment.dropFirst())}" : String(segment)
            }.joined(separator: "/")
    }

    /// Returns whether a request's path, split at `/`, matches the route's path pattern.
    public func matches(_ requested: [Substring]) -> Bool {
        let own = segments
        let isOpen = own.last == "**"
        let fixed = isOpen ? own.count - 1 : own.count
        guard isOpen ? requested.count > fixed : requested.count == fixed else { return false }
        return zip(own.prefix(fixed), requested).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
    }

    /// Whether responses of the route carry an entity tag that a request can name in `If-None-Match`.
    public var isConditional: Bool { method == .get && endpoint?.isConditional == true }

    /// Whether the response of the route depends on the request's header `Accept-Language`.
    public var variesByLanguage: Bool { endpoint?.parameters.contains { $0.name == "Accept-Language" } == true }

    /// Whether the route's method is a safe one, GET or HEAD (RFC 9110, 9.2.1).
    public var hasSafeMethod: Bool { [.get, .head].contains(method) }

    /// Whether requests to the route can change something.
    public var changesState: Bool { !hasSafeMethod && endpoint?.isReadOnly != true }

    /// Whether the route's method usually has a body (POST, PUT, PATCH) and the endpoint accepts none.
    public var rejectsBody: Bool {
        endpoint != nil && endpoint?.body == nil && [.post, .put, .patch].contains(method)
    }

    /// The descriptions of all parameters of the route, path parameters first.
    public var parameters: [Parameter] {
        var parameters = segments.filter { $0 == "**" || $0.hasPrefix(":") }
            .map { $0 == "**" ? "path" : String($0.dropFirst()) }
            .filter { name in endpoint?.parameters.contains { $0.name == name && $0.location == .path } == false }
            .map { pathParameters[$0] ?? .path($0, .nonEmptyText, $0) }
        parameters += endpoint?.parameters ?? []
        if isConditional {
            parameters.append(
                .header("If-None-Match", .text, "Entity tags that the client has: 304 if one of them is current."))
        }
        return parameters
    }
}

extension Route {
    /// Checks a request's parameters against the description of the route's endpoint.
    ///
    /// - Parameters:
    ///   - query: the query parameters by name.
    ///   - pathParameter: returns the decoded segment of a path parameter.
    ///   - header: returns the value of a header; an empty value counts as absent.
    /// - Throws: ``ParameterViolation`` for an unknown, invalid or missing parameter, and the errors of `pathParameter`.
    public func validate(
        query: [String: String], pathParameter: (String) throws -> String, header: (String) -> String?
    ) throws {
        guard let endpoint else { return }
        let known = endpoint.parameters.filter { $0.location == .query }
        if let unknown = query.keys.filter({ name in !known.contains { $0.name == name } }).min() {
            let names = known.map { "'\($0.name)'" }.joined(separator: ", ")
            throw ParameterViolation(
                name: unknown, reason: "is unknown" + (names.isEmpty ? "" : "; the known ones are \(names)"))
        }
        for parameter in endpoint.parameters {
            switch parameter.location {
            case .query:
                if let text = query[parameter.name] {
                    try parameter.validate(text)
                } else if parameter.isRequired {
                    throw ParameterViolation(name: parameter.name, reason: "is missing")
                }
            case .path:
                try parameter.validate(pathParameter(parameter.name))
            case .header:
                if let text = header(parameter.name), !text.isEmpty { try parameter.validate(text) }
            }
        }
    }
}
