import Hummingbird
import StoreAPI
import StoreModel

/// The OpenAPI 3.1 document of a table of routes.
enum OpenAPIDocument {
    private static let about = """
        What the daemon `stored` answers at its unix socket, HTTP/1.1 and JSON.

        An identifier in a path is percent-encoded, `/` as `%2F`, and decoded once. Where there is GET, there is HEAD, but for events. \
        Every error is a problem document (RFC 9457) with a stable `code`. A parameter or a member of a request that is \
        not named here is refused. Documents of answers may get more members: what a client does not know, it leaves \
        alone. Long work is an operation to follow by `/v1/events`, and its end can be asked for later.
        """

    static func make(_ routes: [RouteTable.Route]) -> JSONValue {
        var paths: [String: JSONValue] = [:]
        for (path, routes) in Dictionary(grouping: routes, by: \.template) {
            var item: [String: JSONValue] = [:]
            for route in routes where route.method != .head {
                guard let endpoint = route.endpoint else { continue }
                item[route.method.rawValue.lowercased()] = operation(route, endpoint)
            }
            if !item.isEmpty { paths[path] = .object(item) }
        }
        return [
            "openapi": "3.1.0",
            "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
            "info": [
                "title": "storectl", "summary": "The store's daemon, as a front-end sees it.",
                "description": .string(about), "version": .string(StoreAPI.programVersion),
            ],
            "servers": [["url": "/", "description": "The socket in the home's folder `run`."]],
            "paths": .object(paths),
            "components": ["schemas": .object(components(of: routes).mapValues(\.json))],
        ]
    }

    /// Those that routes take and give, and what these are made of.
    private static func components(of routes: [RouteTable.Route]) -> [String: Schema] {
        // An event stream's lines are text to OpenAPI.
        var names: Set = ["Event", "Problem"]
        for endpoint in routes.compactMap(\.endpoint) {
            if let body = endpoint.body { names.insert(body) }
            for case .document(let name) in endpoint.answers.map(\.content) { names.insert(name) }
        }
        var found: [String: Schema] = [:]
        while let name = names.popFirst() {
            guard found[name] == nil, let schema = Components.all[name] else { continue }
            found[name] = schema
            names.formUnion(schema.components)
        }
        return found
    }

    private static func operation(_ route: RouteTable.Route, _ endpoint: Endpoint) -> JSONValue {
        var operation: [String: JSONValue] = [
            "operationId": .string(endpoint.name),
            "summary": .string(endpoint.summary),
            "tags": [.string(route.segments.dropFirst().first.map(String.init) ?? route.path)],
            "responses": .object(responses(route, endpoint)),
        ]
        let parameters = route.parameters
        if !parameters.isEmpty { operation["parameters"] = .array(parameters.map(json)) }
        if let body = endpoint.body {
            operation["requestBody"] = ["required": true, "content": content("application/json", .component(body))]
        }
        return .object(operation)
    }

    private static func json(_ parameter: Parameter) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
            "description": .string(parameter.summary), "schema": parameter.schema.json,
        ]
        if parameter.place == .path { members["required"] = true }
        return .object(members)
    }

    // MARK: Answers

    private static func responses(_ route: RouteTable.Route, _ endpoint: Endpoint) -> [String: JSONValue] {
        var responses: [String: JSONValue] = [:]
        for answer in endpoint.answers {
            let hasTag = route.isConditional && answer.status.kind == .successful
            responses[String(answer.status.code)] = response(answer, hasTag: hasTag)
        }
        if route.isConditional {
            responses["304"] = ["description": "It is still what `If-None-Match` names.", "headers": tag]
        }
        for (status, codes) in Dictionary(grouping: route.problems, by: { HTTPResponse.Status(for: $0).code }) {
            let words = Set(codes.map(\.word)).sorted().map { "`\($0)`" }.joined(separator: ", ")
            responses[String(status)] = [
                "description": .string("\(words)."),
                "content": content("application/problem+json", .component("Problem")),
            ]
        }
        return responses
    }

    private static func response(_ answer: Endpoint.Answer, hasTag: Bool) -> JSONValue {
        var members: [String: JSONValue] = ["description": .string(answer.summary)]
        switch answer.content {
        case .none: break
        case .document(let component): members["content"] = content("application/json", .component(component))
        case .events: members["content"] = content("text/event-stream", .text)
        case .text(let type): members["content"] = content(type, .text)
        case .metrics: members["content"] = content("text/plain", .text)
        case .file: members["content"] = ["*/*": [:]]
        case .openAPI: members["content"] = ["application/json": ["schema": ["type": "object"]]]
        }
        if hasTag { members["headers"] = tag }
        return .object(members)
    }

    private static func content(_ type: String, _ schema: Schema) -> JSONValue {
        .object([type: ["schema": schema.json]])
    }

    private static let tag: JSONValue = [
        "ETag": ["description": "Names these bytes, and no others.", "schema": ["type": "string"]]
    ]
}
