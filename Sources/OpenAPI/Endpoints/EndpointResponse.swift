/// The description of one response of an endpoint, other than an error.
public struct EndpointResponse: Sendable {
    /// What the body of a response holds.
    public enum Content: Sendable {
        case none
        /// A JSON document.
        case document(SchemaReference)
        /// Server-sent events.
        case eventStream
        case text(mediaType: String)
        /// The bytes of a file, of any media type.
        case file
        /// The OpenAPI document itself.
        case openAPIDocument
        /// Metrics in the text format of Prometheus.
        case metrics
    }

    /// The HTTP status code.
    public let status: Int
    /// The content of the body.
    public let content: Content
    /// One sentence about the response.
    public let summary: String

    /// 200 with a JSON document.
    public static func ok(_ document: any SchemaProviding.Type, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 200, content: .document(SchemaReference(document)), summary: summary)
    }

    /// 200 with content other than a JSON document.
    public static func ok(_ content: Content, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 200, content: content, summary: summary)
    }

    /// 201 with a JSON document.
    public static func created(_ document: any SchemaProviding.Type, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 201, content: .document(SchemaReference(document)), summary: summary)
    }

    /// 202 with a JSON document.
    public static func accepted(_ document: any SchemaProviding.Type, _ summary: String) -> EndpointResponse {
        EndpointResponse(status: 202, content: .document(SchemaReference(document)), summary: summary)
    }

    /// 204, without content.
    public static func noContent(_ summary: String) -> EndpointResponse {
        EndpointResponse(status: 204, content: .none, summary: summary)
    }

    /// 206, which a file that supports ranges can return instead of 200.
    public static let partialContent = EndpointResponse(
        status: 206, content: .file, summary: "The bytes that `Range` selects.")
    /// 416, which a file that supports ranges returns for a range without a byte of the file.
    public static let rangeNotSatisfiable = EndpointResponse(
        status: 416, content: .none, summary: "The range begins at or after the end of the file.")
}
