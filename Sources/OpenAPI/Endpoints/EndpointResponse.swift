/// The description of one response of an endpoint, other than an error.
public struct EndpointResponse: Sendable {
    /// The content of a response's body.
    public enum Content: Sendable {
        case none
        /// The body is a JSON document.
        case document(SchemaReference)
        /// The body is a stream of server-sent events.
        case eventStream
        case text(mediaType: String)
        /// The body contains the bytes of a file, of any media type.
        case file
        /// The body is the OpenAPI document itself.
        case openAPIDocument
        /// The body contains metrics in the text format of Prometheus.
        case metrics
    }

    /// The HTTP status code of the response.
    public let status: Int
    /// The content of the response's body.
    public let content: Content
    /// A sentence that describes the response.
    public let summary: String

    /// Describes a response with status 200 and a JSON document.
    public static func ok(_ document: any SchemaProviding.Type, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 200, content: .document(SchemaReference(document)), summary: summary)
    }

    /// Describes a response with status 200 and content other than a JSON document.
    public static func ok(_ content: Content, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 200, content: content, summary: summary)
    }

    /// Describes a response with status 201 and a JSON document.
    public static func created(_ document: any SchemaProviding.Type, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 201, content: .document(SchemaReference(document)), summary: summary)
    }

    /// Describes a response with status 202 and a JSON document.
    public static func accepted(_ document: any SchemaProviding.Type, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 202, content: .document(SchemaReference(document)), summary: summary)
    }

    /// Describes a response with status 204, which has no content.
    public static func noContent(_ summary: String) -> EndpointResponse {
        EndpointResponse(status: 204, content: .none, summary: summary)
    }

    /// The response with status 206, which a file that supports ranges can return instead of 200.
    public static let partialContent = EndpointResponse(
        status: 206, content: .file, summary: "The bytes that `Range` selects.")
    /// The response with status 416, which is returned for a range that contains no byte of the file.
    public static let rangeNotSatisfiable = EndpointResponse(
        status: 416, content: .none, summary: "The range begins at or after the end of the file.")
}
