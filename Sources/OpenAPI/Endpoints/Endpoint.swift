public import StoreModel

/// A description of one HTTP method of one resource: what it accepts and returns.
///
/// The OpenAPI document is generated from these descriptions, and each request is validated against the description of
/// its route before it is passed to a handler.
///
/// ```swift
/// Endpoint(
///     "changePack", "Holds a pack, or releases it.", body: PackChangeRequest.self,
///     .ok(InstalledPack.self, "The pack after the change."), errors: [.packMissing])
/// ```
public struct Endpoint: Sendable {
    /// The endpoint's `operationId`, which is unique in the OpenAPI document and names a method in generated clients.
    public let name: String
    /// A sentence that says what the HTTP endpoint does, for the OpenAPI document.
    public let summary: String
    /// The parameters of the HTTP endpoint, without path parameters that have the same meaning in many routes.
    public private(set) var parameters: [Parameter]
    /// The schema of the body of requests to the HTTP endpoint; `nil` if it accepts no body.
    public let body: SchemaReference?
    /// The descriptions of the HTTP endpoint's responses to successful requests.
    public let responses: [EndpointResponse]
    /// The error codes specific to this HTTP endpoint, without those that every request can cause.
    public let errors: [ErrorCode]
    /// Whether requests to the HTTP endpoint change nothing whatever their method is, such as one that computes a plan.
    public private(set) var isReadOnly = false

    private init(
        name: String, summary: String, parameters: [Parameter], body: SchemaReference?, responses: [EndpointResponse],
        errors: [ErrorCode]
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.body = body
        self.responses = responses
        self.errors = errors
    }

    /// Creates the description of an HTTP endpoint without parameters, optionally with a body.
    public init(
        _ name: String, _ summary: String, body: (any ExampleProviding.Type)? = nil, _ responses: EndpointResponse...,
        errors: [ErrorCode] = []
    ) {
        self.init(
            name: name, summary: summary, parameters: [], body: body.map { SchemaReference($0) }, responses: responses,
            errors: errors)
    }

    /// Creates the description of an HTTP endpoint with parameters and without a body.
    public init(
        _ name: String, _ summary: String, _ parameters: [Parameter], _ responses: EndpointResponse...,
        errors: [ErrorCode] = []
    ) {
        self.init(
            name: name, summary: summary, parameters: parameters, body: nil, responses: responses, errors: errors)
    }

    /// Returns the description of the same HTTP endpoint with further parameters.
    public func with(_ parameters: Parameter...) -> Endpoint {
        var endpoint = self
        endpoint.parameters += parameters
        return endpoint
    }

    /// Returns the description of the same HTTP endpoint, whose requests change nothing whatever their method is.
    public func readOnly() -> Endpoint {
        var endpoint = self
        endpoint.isReadOnly = true
        return endpoint
    }

    /// Whether a successful response of the endpoint has an entity tag, so that clients can send conditional requests.
    public var isConditional: Bool {
        responses.contains { response in
            switch response.content {
            case .document, .binary, .text, .openAPIDocument: response.status == 200
            case .none, .eventStream, .metrics: false
            }
        }
    }
}
