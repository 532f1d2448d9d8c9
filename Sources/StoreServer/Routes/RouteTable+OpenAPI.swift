import Hummingbird
import StoreAPI
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP route `/v1/openapi.json`, which describes all routes.
    ///
    /// To be called after all other routes were added.
    ///
    /// - Parameter socket: the path of the unix socket at which the daemon listens.
    mutating func addOpenAPI(socket: String) {
        var information = Self.information
        information.server += " `\(socket)`."
        let path = "/v1/openapi.json"
        let endpoint = Endpoint(
            "openapi", "This document.", .ok(.openAPIDocument, "The interface as an OpenAPI 3.1 document."))
        let document = OpenAPIDocument(
            information, routes: routes + [Route(method: .get, path: path, endpoint: endpoint)],
            errors: OpenAPIDocument.Errors(
                problem: ProblemDocument.self, codes: \.errors,
                outsideOperations: [.resourceUnknown, .methodUnknown, .requestMethodUnknown, .webLink]
            ) {
                HTTPResponse.Status(for: $0).code
            },
            security: OpenAPIDocument.Security(schemes: Self.securitySchemes) { $0.webScope?.rawValue },
            additionalSchemas: [Event.self])
        get(path, endpoint) { request in
            try request.response(document.json)
        }
    }

    /// The ways in which clients of the web listener prove that they may send requests.
    private static let securitySchemes: [String: JSONValue] = [
        "token": [
            "type": "http", "scheme": "bearer",
            "description": """
            Over TCP: an access token, which `storectl web tokens create NAME --scope SCOPES` or `POST /v1/web/tokens` \
            creates. Each operation names the scope that it needs: `read`, `install` or `settings`. The socket needs none.
            """,
        ],
        "session": [
            "type": "apiKey", "in": "cookie", "name": .string(WebRequestCheck.cookie),
            "description": """
            Over TCP: the session of a browser, which the one-time link of `storectl web` or `POST /v1/web` begins. It \
            has all scopes.
            """,
        ],
    ]

    private static let information = OpenAPIDocument.Information(
        title: "storectl", summary: "The interface of the store's daemon for front-ends.",
        description: """
            The daemon `stored` serves this interface at its unix socket, as HTTP/1.1 and JSON. The socket is \
            `$XDG_RUNTIME_DIR/storectl/stored.sock`; without that variable, `/run/user/UID/storectl/stored.sock` if the user owns \
            `/run/user/UID`, else `storectl/run/stored.sock` in the user's data directory; with `STORECTL_HOME`, \
            `$STORECTL_HOME/run/stored.sock`. `storectl daemon start` starts the daemon if it is not running, and prints the \
            socket's path.

            An identifier in a path is percent-encoded, `/` as `%2F`, and decoded once. Every GET can also be a HEAD, except for \
            events. Every error response is a problem document (RFC 9457) with a stable `code`. A request with a parameter or \
            property that is not described here is refused. Later releases may add properties to responses; clients \
            ignore those that they do not know. Work that takes long is an operation: follow it at `/v1/events`, or \
            request its result later.

            Responses to requests that are none of the operations below are problem documents, too: 404 `request.path`, 405 \
            `request.method`, 501 `request.unknown-method`, and 401 `web.link` for a one-time link at `/login` that is not valid.

            Every request with a body declares it with `Content-Type: application/json`, or is refused with 415. A request \
            that a browser sends for a page of another origin is refused with 403 `request.cross-origin`: at the socket any \
            other than GET and HEAD; over TCP any, unless the setting `web.allowedOrigins` has the origin. This also protects a proxy that makes the socket reachable for web pages, if the proxy \
            passes on `Host`, `Origin`, `Sec-Fetch-Site` and `Content-Type` unchanged, answers only to the host names \
            meant for it, and adds no header that allows other origins to read responses. The proxy decides who may \
            connect to it: everyone who can has the rights of the daemon's user.

            A program that can't use a unix socket reaches the interface over TCP, except for `/v1/web`, at the address of the \
            web listener, which `storectl web` switches on. The member `address` of `GET /v1/web` at the socket, and of the \
            output of `storectl web --no-open --json`, is the base URL, such as `http://k3f9.localhost:8817/`: append `v1/…` to \
            it. Each request needs an access token in the header `Authorization: Bearer TOKEN`, or is refused with 401 \
            `web.login`; `storectl web tokens create NAME --scope read,install` prints one. The host name leads to the \
            loopback interface. Where it can't be resolved, connect to 127.0.0.1, and send the host and port of the base URL \
            in the header `Host`: a request for another host is refused with 421 `web.host`. A request that needs another \
            scope than the token has is refused with 403 `web.scope`; `security` of each operation names the scope. The pages on which a browser \
            manages access tokens refuse every token with 403 `web.session-only`.
            """,
        version: StoreAPI.programVersion, server: "The unix socket")
}
