import Hummingbird
import StoreAPI
import StoreMessages
import StoreModel
import StoreOpenAPI
import StoreSystem

/// An HTTP request as it is passed to the handler of a route, with validated and decoded parameters.
struct APIRequest: Sendable {
    let httpRequest: Request
    let context: ServerRequestContext
    let route: Route
    private let queryParameters: [String: String]

    /// Decodes and validates the parameters of an HTTP request.
    ///
    /// - Throws: `request.malformed` if a parameter does not match the route's description, or is missing.
    init(_ httpRequest: Request, _ context: ServerRequestContext, _ route: Route) throws {
        self.httpRequest = httpRequest
        self.context = context
        self.route = route
        queryParameters = try QueryParameters.parse(httpRequest.uri.query ?? "")
        do {
            try route.validate(query: queryParameters) { name in
                try identifier(name)
            } header: { name in
                // The names of headers in routes are valid tokens of HTTP, so this never fails.
                httpRequest.headers[.init(name)!]
            }
        } catch let violation as ParameterViolation {
            throw StoreError(
                .requestParameterInvalid,
                ["parameter": .untrusted(violation.name), "reason": violation.reason])
        }
    }

    /// Checks that a request which names a file of this machine did not come through the web listener.
    ///
    /// A program with an access token must not have files read that the token does not give it.
    ///
    /// - Throws: `web.socket-only`.
    func requireMayName(_ file: String?) throws(StoreError) {
        if file != nil, context.isFromWebListener { throw StoreError(.webSocketOnly, ["path": "file"]) }
    }

    /// Returns the decoded segment of the request's path for a parameter in the route's path, by default `id`.
    ///
    /// - Throws: `request.malformed` if the segment has a malformed escape sequence, or is not UTF-8.
    func identifier(_ name: String = "id") throws -> String {
        guard let identifier = context.parameters.get(name).flatMap(PathSegment.decode) else { throw malformedPath }
        return identifier
    }

    /// Returns the decoded segment of the request's path for a parameter that is a number.
    ///
    /// - Throws: `request.malformed` if the segment is no number, or too large.
    func number(_ name: String) throws -> Int {
        guard let number = Int(try identifier(name)) else { throw malformedPath }
        return number
    }

    /// Returns the decoded segments of the request's path that the route's `**` matches, joined by `/`.
    ///
    /// - Throws: `request.malformed` if a segment has a malformed escape sequence, or is not UTF-8.
    func remainingPath() throws -> String {
        let segments = try context.parameters.getCatchAll().map { segment in
            guard let segment = PathSegment.decode(segment) else { throw malformedPath }
            return segment
        }
        return segments.joined(separator: "/")
    }

    private var malformedPath: StoreError {
        StoreError(.requestPathMalformed, ["path": .untrusted(httpRequest.uri.path)])
    }

    /// Returns a query parameter of the HTTP request; `nil` if it is absent or empty.
    func query(_ name: String) -> String? {
        queryParameters[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a query parameter of the HTTP request as a value; `nil` if it is absent or empty.
    ///
    /// - Parameters:
    ///   - expected: the noun phrase for the error's message: what the parameter has to be.
    ///   - parse: converts the text to a value; returns `nil` if the text is invalid.
    /// - Throws: `request.malformed` if the text is invalid.
    func query<Value>(_ name: String, expected: String, _ parse: (String) -> Value?) throws -> Value? {
        guard let text = query(name) else { return nil }
        guard let value = parse(text) else {
            throw StoreError(
                .requestParameterInvalid,
                ["parameter": name, "reason": .untrusted("must be \(expected), not '\(text)'")])
        }
        return value
    }

    /// Returns what follows a prefix in the names of query parameters that begin with it, in alphabetical order.
    func queryNames(after prefix: String) -> [String] {
        queryParameters.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
    }

    /// Returns whether a query parameter of the HTTP request has the value `true`.
    func flag(_ name: String) -> Bool { query(name) == "true" }

    /// Returns the open files that came with the request (descriptor passing of unix(7)), in the order of the files that its
    /// body names.
    ///
    /// They are fewer than the body names if the client has opened only the first ones, or none.
    ///
    /// - Throws: `file.unusable` if the daemon could not receive them; the paths may lead to other files here.
    func files() throws -> [OpenFile] {
        do {
            return try context.connections?.files(of: context.channel) ?? []
        } catch {
            throw StoreError(.unusableFile, cause: error)
        }
    }

    /// The maximum length of a client's name for itself; longer ones are ignored.
    static let maximumViewerLength = 100

    /// The client's name for itself, if it shows a person how the operations end that it begins; otherwise `nil`.
    var viewer: String? {
        httpRequest.headers[.init(StoreAPI.viewerHeader)!].flatMap {
            $0.isEmpty || $0.utf8.count > Self.maximumViewerLength ? nil : $0
        }
    }

    /// The language tags in the request's `Accept-Language` header, most preferred first.
    var languages: [String] { httpRequest.languages }

    /// The language of texts for people in the response.
    var language: Language { httpRequest.language }
}

extension Request {
    /// The languages that the client accepts, as BCP 47 tags, the most preferred first.
    var languages: [String] { AcceptedLanguages.parse(headers[.acceptLanguage] ?? "") }

    /// The language of texts for people in the response.
    var language: Language { Language(preferring: languages) }
}
