public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/web`: whether the web pages are served, and where.
public struct WebDocument: Sendable, Codable {
    /// Whether the web listener is on.
    public var enabled: Bool
    /// The address of the pages; `nil` if the listener is off.
    @OrNull public var address: String?
    /// A link that logs one browser in, once, within two minutes; only in the response to `POST /v1/web`.
    @OrNull public var link: String?
    /// The number of browsers that are logged in.
    public var sessions: Int

    /// Creates the description of the web listener.
    public init(enabled: Bool, address: String?, link: String? = nil, sessions: Int) {
        self.enabled = enabled
        self.address = address
        self.link = link
        self.sessions = sessions
    }
}

extension WebDocument: SchemaProviding {
    public static let schemaName = "Web"
    public static let schema = Schema.document(
        "The web listener.",
        [
            .required("enabled", .boolean, "Whether the pages are served."),
            .required("address", .uri.nullable, "The address of the pages; `null` if they are not served."),
            .required(
                "link", .uri.nullable,
                "A link that logs one browser in, once, within two minutes. Only the response to `POST` has one."),
            .required("sessions", .count, "The number of browsers that are logged in."),
        ])
}

/// The daemon's JSON response to `GET /v1/web/tokens`: the access tokens of programs.
public struct WebTokenList: Sendable, Codable {
    /// The access tokens, in the order in which they were created.
    public var tokens: [WebToken]
    /// Creates the response with the access tokens of programs.
    public init(tokens: [WebToken]) { self.tokens = tokens }
}

extension WebTokenList: SchemaProviding {
    public static let schemaName = "WebTokenList"
    public static let schema = Schema.document(
        "The access tokens of programs that use the web listener.", [.required("tokens", .array(of: WebToken.self))])
}

extension WebToken: SchemaProviding {
    public static let schemaName = "WebToken"
    public static let schema = Schema.document(
        "An access token of a program that uses the web listener.",
        [
            .required("id", .nonEmptyText, "Not secret."),
            .required("name", .nonEmptyText),
            .required("scopes", .array(of: .enumeration(of: WebScope.self))),
            .required("createdAt", .dateTime),
        ])
}

/// The JSON body of the request `POST /v1/web/tokens`: the access token to create.
public struct WebTokenRequest: Sendable, Codable {
    /// The name by which the user recognises the token.
    public var name: String
    /// What the token permits; only `read` if `nil`.
    public var scopes: [WebScope]?

    /// Creates the request to create an access token.
    public init(name: String, scopes: [WebScope]? = nil) {
        self.name = name
        self.scopes = scopes
    }
}

extension WebTokenRequest: SchemaProviding {
    public static let schemaName = "WebTokenRequest"
    public static let schema = Schema.request(
        "The access token to create.",
        [
            .required("name", .text(.tokenName), "The name by which the user recognises the token."),
            .optional(
                "scopes", .array(of: .enumeration(of: WebScope.self)).nullable,
                "`read`: read everything. `install`: install, update, remove and use content. `settings`: change settings, "
                    + "stores and purchases. If absent, only `read`."),
        ])
}

/// The daemon's JSON response to `POST /v1/web/tokens`: the new access token with its secret.
public struct CreatedWebToken: Sendable, Codable {
    /// The access token.
    public var token: WebToken
    /// The text that a program sends as `Authorization: Bearer SECRET`; the daemon does not keep it.
    public var secret: String

    /// Creates the response with a new access token.
    public init(token: WebToken, secret: String) {
        self.token = token
        self.secret = secret
    }
}

extension CreatedWebToken: SchemaProviding {
    public static let schemaName = "CreatedWebToken"
    public static let schema = Schema.document(
        "A new access token.",
        [
            .required("token", .reference(to: WebToken.self)),
            .required("secret", .nonEmptyText, "Sent as `Authorization: Bearer SECRET`. It can't be read again."),
        ])
}
