/// The description of one response of an HTTP endpoint, other than an error, for the OpenAPI document.
public struct EndpointResponse: Sendable {
    /// The kind of content of an HTTP response's body.
    public enum Content: Sendable {
        case none
        /// The response's body is a JSON document that matches a schema.
        case document(SchemaReference)
        /// The response's body is a stream of server-sent events.
        case eventStream(example: String)
        case text(mediaType: String, example: String)
        /// The response's body contains bytes, such as those of a file, with one of these media types.
        ///
        /// An element can be a range such as `image/*`.
        case binary(mediaTypes: [String])
        /// The response's body is the OpenAPI document itself.
        case openAPIDocument
        /// The response's body contains metrics in the text format of Prometheus.
        case metrics(example: String)
    }

    /// The HTTP status code of the response.
    public let status: Int
    /// The kind of content of the response's body.
    public let content: Content
    /// A sentence that describes the HTTP response, for the OpenAPI document.
    public let summary: String
    /// The example of the response's document, where that of the document's type is one of another status.
    public private(set) var example: (any ExampleProviding)?

    /// Returns the description of an HTTP response with status 200 and a JSON document.
    public static func ok(_ document: any ExampleProviding.Type, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 200, content: .document(SchemaReference(document)), summary: summary)
    }

    /// Returns the description of an HTTP response with status 200 and a JSON document, with an example of its own.
    public static func ok(example: any ExampleProviding, _ summary: String) -> EndpointResponse {
        EndpointResponse(
            status: 200, content: .document(SchemaReference(type(of: example))), summary: summary, example: example)
    }

    /// Returns the description of an HTTP response with status 200 and content other than a JSON document.
    public static func ok(_ content: Content, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 200, content: content, summary: summary)
    }

    /// Returns the description of an HTTP response with status 201 and a JSON document.
    public static func created(_ document: any ExampleProviding.Type, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 201, content: .document(SchemaReference(document)), summary: summary)
    }

    /// Returns the description of an HTTP response with status 202 and a JSON document.
    public static func accepted(_ document: any ExampleProviding.Type, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 202, content: .document(SchemaReference(document)), summary: summary)
    }

    /// Returns the description of an HTTP response with status 204, which has no content.
    public static func noContent(_ summary: String) -> EndpointResponse {
        EndpointResponse(status: 204, content: .none, summary: summary)
    }

    /// Returns the description of a response with status 206, which a file that supports ranges can return instead of 200.
    public static func partialContent(_ content: Content) -> EndpointResponse {
        EndpointResponse(status: 206, content: content, summary: "The bytes that `Range` selects.")
    }
}
