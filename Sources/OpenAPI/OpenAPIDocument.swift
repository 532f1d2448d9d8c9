public import StoreModel

/// A generator of the OpenAPI 3.1 document of an HTTP interface, from the interface's routes.
public struct OpenAPIDocument: Sendable {
    /// The texts of an OpenAPI document that describe the interface as a whole.
    public struct Information: Sendable {
        /// The name of the HTTP interface that the OpenAPI document describes.
        public var title: String
        /// A sentence that describes the HTTP interface, for the OpenAPI document.
        public var summary: String
        /// The conventions of the HTTP interface, as text in CommonMark for the OpenAPI document.
        public var description: String
        /// The version, as text, of the program that serves the HTTP interface.
        public var version: String
        /// The address at which the HTTP server listens, as text for readers of the OpenAPI document.
        public var server: String

        /// Creates the texts of an OpenAPI document that describe the interface as a whole.
        public init(title: String, summary: String, description: String, version: String, server: String) {
            self.title = title
            self.summary = summary
            self.description = description
            self.version = version
            self.server = server
        }
    }

    /// The way in which the HTTP interface reports errors, for its OpenAPI document.
    public struct Errors: Sendable {
        /// The type of the body of every error response, `application/problem+json` (RFC 9457).
        public var problem: any ExampleProviding.Type
        /// A function that returns the error codes that a route can return.
        public var codes: @Sendable (Route) -> [ErrorCode]
        /// The error codes of responses to requests that no route matches.
        public var outsideOperations: [ErrorCode]
        /// A function that returns the HTTP status for an error code.
        public var status: @Sendable (ErrorCode) -> Int

        /// Creates the description of how the HTTP interface reports errors.
        public init(
            problem: any ExampleProviding.Type, codes: @escaping @Sendable (Route) -> [ErrorCode],
            outsideOperations: [ErrorCode] = [], status: @escaping @Sendable (ErrorCode) -> Int
        ) {
            self.problem = problem
            self.codes = codes
            self.outsideOperations = outsideOperations
            self.status = status
        }
    }

    /// The ways in which clients prove that they may send requests, for the OpenAPI document of an HTTP interface.
    public struct Security: Sendable {
        /// The security schemes by name, as OpenAPI describes them.
        public var schemes: [String: JSONValue]
        /// A function that returns the scope that a route needs; `nil` for one that none of the schemes permits.
        public var scope: @Sendable (Route) -> String?

        /// Creates the description of how clients prove that they may send requests.
        public init(schemes: [String: JSONValue], scope: @escaping @Sendable (Route) -> String?) {
            self.schemes = schemes
            self.scope = scope
        }
    }

    private let information: Information
    private let routes: [Route]
    private let errors: Errors
    private let security: Security?
    private let additionalSchemas: [any SchemaProviding.Type]

    /// Creates the OpenAPI document of an HTTP interface.
    ///
    /// - Parameters:
    ///   - routes: all routes; those without an endpoint and those for `HEAD` are left out.
    ///   - security: how clients prove that they may send requests; `nil` if they don't have to.
    ///   - additionalSchemas: schemas that no route refers to, such as those of events: in OpenAPI a stream of events
    ///     is only text.
    public init(
        _ information: Information, routes: [Route], errors: Errors, security: Security? = nil,
        additionalSchemas: [any SchemaProviding.Type] = []
    ) {
        self.information = information
        self.routes = routes
        self.errors = errors
        self.security = security
        self.additionalSchemas = additionalSchemas
    }

    /// The OpenAPI document as JSON.
    ///
    /// - Throws: the error of an example that can't be encoded.
    public var json: JSONValue {
        get throws {
            var components = ["schemas": JSONValue.object(try schemaComponents())]
            if let security { components["securitySchemes"] = .object(security.schemes) }
            return [
                "openapi": "3.1.0",
                "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
                "info": [
                    "title": .string(information.title), "summary": .string(information.summary),
                    "description": .string(information.description), "version": .string(information.version),
                ],
                "servers": [["url": "/", "description": .string(information.server)]],
                "paths": .object(try paths()),
                "components": .object(components),
                "x-errors-outside-operations": .object(errorsOutsideOperations),
            ]
        }
    }

    /// The codes of responses to requests that are none of the operations, by HTTP status.
    private var errorsOutsideOperations: [String: JSONValue] {
        Dictionary(grouping: errors.outsideOperations, by: errors.status).reduce(into: [:]) { statuses, entry in
            statuses[String(entry.key)] = .array(entry.value.map { .string($0.rawValue) })
        }
    }

    /// The beginning of the document, as the example of the response that returns the document.
    private var excerpt: JSONValue {
        [
            "openapi": "3.1.0",
            "info": ["title": .string(information.title), "version": .string(information.version)],
        ]
    }

    private func paths() throws -> [String: JSONValue] {
        var paths: [String: JSONValue] = [:]
        for (path, routes) in Dictionary(grouping: routes, by: \.template) {
            var item: [String: JSONValue] = [:]
            for route in routes where route.method != .head {
                guard let endpoint = route.endpoint else { continue }
                item[route.method.rawValue.lowercased()] = try operation(route, endpoint)
            }
            if !item.isEmpty { paths[path] = .object(item) }
        }
        return paths
    }

    /// The schemas by name, with the example of all error responses at that of their body.
    private func schemaComponents() throws -> [String: JSONValue] {
        var components = schemas.mapValues(\.json)
        if case .object(var problem) = components[errors.problem.schemaName] {
            problem["examples"] = [try errors.problem.exampleJSON]
            components[errors.problem.schemaName] = .object(problem)
        }
        return components
    }

    /// All schemas that the OpenAPI document lists, by name.
    ///
    /// These are the schemas of requests and responses, and the schemas that they refer to.
    public var schemas: [String: Schema] {
        var pending = Set((additionalSchemas + [errors.problem]).map { SchemaReference($0) })
        for endpoint in routes.compactMap(\.endpoint) {
            if let body = endpoint.body { pending.insert(body) }
            for case .document(let reference) in endpoint.responses.map(\.content) { pending.insert(reference) }
        }
        var found: [String: Schema] = [:]
        while let reference = pending.popFirst() {
            guard found[reference.name] == nil else { continue }
            let schema = reference.schema
            found[reference.name] = schema
            pending.formUnion(schema.references)
        }
        return found
    }

    private func operation(_ route: Route, _ endpoint: Endpoint) throws -> JSONValue {
        var operation: [String: JSONValue] = [
            "operationId": .string(endpoint.name),
            "summary": .string(endpoint.summary),
            // The segment after the version names the resource.
            "tags": [.string(route.segments.dropFirst().first.map(String.init) ?? route.path)],
            "responses": .object(try responses(route, endpoint)),
        ]
        let parameters = route.parameters
        if !parameters.isEmpty { operation["parameters"] = .array(parameters.map(json)) }
        if let body = endpoint.body {
            operation["requestBody"] = [
                "required": true, "content": try document(body),
            ]
        }
        if let security {
            // The empty requirement is that of the unix socket, whose clients the kernel identifies.
            let scope = security.scope(route)
            let requirements = security.schemes.keys.sorted().map { scheme -> JSONValue in
                .object([scheme: .array([.string(scope ?? "")])])
            }
            operation["security"] = .array([[:]] + (scope == nil ? [] : requirements))
        }
        return .object(operation)
    }

    private func json(_ parameter: Parameter) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(parameter.name), "in": .string(parameter.location.rawValue),
            "description": .string(parameter.summary), "schema": parameter.schema.json,
        ]
        if parameter.isRequired { members["required"] = true }
        if let example = parameter.example { members["example"] = example }
        return .object(members)
    }

    // MARK: Responses

    private func responses(_ route: Route, _ endpoint: Endpoint) throws -> [String: JSONValue] {
        var responses: [String: JSONValue] = [:]
        for response in endpoint.responses {
            let hasTag = route.isConditional && (200..<300).contains(response.status)
            responses[String(response.status)] = try json(response, hasTag: hasTag)
        }
        if route.isConditional {
            responses["304"] = [
                "description": "The content is still the one that `If-None-Match` names.", "headers": entityTag,
            ]
        }
        for (status, codes) in Dictionary(grouping: errors.codes(route), by: errors.status) {
            let words = Set(codes.map(\.rawValue)).sorted().map { "`\($0)`" }.joined(separator: ", ")
            responses[String(status)] = [
                "description": .string("\(words)."),
                "content": content("application/problem+json", .reference(to: errors.problem)),
            ]
        }
        return responses
    }

    private func json(_ response: EndpointResponse, hasTag: Bool) throws -> JSONValue {
        var members: [String: JSONValue] = ["description": .string(response.summary)]
        switch response.content {
        case .none: break
        case .document(let reference):
            members["content"] = try document(reference, example: response.example?.json)
        case .eventStream(let example):
            members["content"] = content("text/event-stream", .text, example: .string(example))
        case .text(let mediaType, let example):
            members["content"] = content(mediaType, .text, example: .string(example))
        case .metrics(let example): members["content"] = content("text/plain", .text, example: .string(example))
        case .binary(let mediaTypes):
            // Bytes have no schema (OpenAPI 3.1.0, "Considerations for File Uploads").
            members["content"] = .object(Dictionary(mediaTypes.map { ($0, [:]) }) { first, _ in first })
        case .openAPIDocument:
            members["content"] = ["application/json": ["schema": ["type": "object"], "example": excerpt]]
        }
        if hasTag { members["headers"] = entityTag }
        return .object(members)
    }

    private func content(_ mediaType: String, _ schema: Schema, example: JSONValue? = nil) -> JSONValue {
        var members = ["schema": schema.json]
        if let example { members["example"] = example }
        return .object([mediaType: .object(members)])
    }

    private func document(_ reference: SchemaReference, example: JSONValue? = nil) throws -> JSONValue {
        content("application/json", Schema(.reference(reference)), example: try example ?? reference.example)
    }

    private let entityTag: JSONValue = [
        "ETag": ["description": "Identifies the content: equal for equal bytes only.", "schema": ["type": "string"]]
    ]
}
