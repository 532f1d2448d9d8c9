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
            errors: OpenAPIDocument.Errors(problem: ProblemDocument.self, codes: \.errors) {
                HTTPResponse.Status(for: $0).code
            },
            additionalSchemas: [Event.self])
        get(path, endpoint) { request in
            try request.response(document.json)
        }
    }

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

            Every request with a body declares it with `Content-Type: application/json`, or is refused with 415. A request \
            other than GET and HEAD that a browser sends for a page of another origin is refused with 403 \
            `request.cross-origin`. This also protects a proxy that makes the socket reachable for web pages, if the proxy \
            passes on `Host`, `Origin`, `Sec-Fetch-Site` and `Content-Type` unchanged, answers only to the host names \
            meant for it, and adds no header that allows other origins to read responses. The proxy decides who may \
            connect to it: everyone who can has the rights of the daemon's user.
            """,
        version: StoreAPI.programVersion, server: "The unix socket")
}
