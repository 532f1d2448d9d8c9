import Hummingbird
import StoreAPI
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP route `/v1/openapi.json`, which describes all routes.
    ///
    /// To be called after all other routes were added.
    mutating func addOpenAPI() {
        let path = "/v1/openapi.json"
        let endpoint = Endpoint(
            "openapi", "This document.", .ok(.openAPIDocument, "The interface as an OpenAPI 3.1 document."))
        let document = OpenAPIDocument(
            Self.information, routes: routes + [Route(method: .get, path: path, endpoint: endpoint)],
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
            The daemon `stored` serves this interface at its unix socket, as HTTP/1.1 and JSON.

            An identifier in a path is percent-encoded, `/` as `%2F`, and decoded once. Every GET can also be a HEAD, except for \
            events. Every error response is a problem document (RFC 9457) with a stable `code`. A request with a parameter or \
            property that is not described here is refused. Later releases may add properties to responses; clients \
            ignore those that they do not know. Work that takes long is an operation: follow it at `/v1/events`, or \
            request its result later.
            """,
        version: StoreAPI.programVersion, server: "The socket in the home's directory `run`.")
}
