import FoundationEssentials
import StoreAPI
import StoreModel
import StoreOpenAPI
import StoreSettings
import Testing

@testable import StoreServer

/// Checks the examples in the OpenAPI document that the daemon serves.
@Suite struct OpenAPIExampleTests {
    let home: APITestServer

    init() throws { home = try APITestServer() }

    @Test func `every operation has examples of its parameters, its body and its responses that match their schemas`()
        async throws
    {
        try await home.serve { client in
            let document: JSONValue = try await client.ask("GET", "/v1/openapi.json").json()
            for route in client.routes where route.method != .head {
                let name = "\(route.method.rawValue) \(route.template)"
                let endpoint = try #require(route.endpoint, "\(name)")
                let operation = try #require(
                    document["paths"]?[route.template]?[route.method.rawValue.lowercased()], "\(name)")
                try check(parametersOf: route, in: operation, name)
                if let body = endpoint.body {
                    let content = operation["requestBody"]?["content"]?["application/json"]
                    try check(content?["example"], body.schema, name)
                }
                for response in endpoint.responses {
                    let content = operation["responses"]?["\(response.status)"]?["content"]
                    try check(content, response.content, "\(name) \(response.status)")
                }
            }
            let problem = document["components"]?["schemas"]?[ProblemDocument.schemaName]
            guard case .array(let examples) = problem?["examples"] else {
                Issue.record("the schema of errors has no examples")
                return
            }
            #expect(examples.count == 1)
            try check(examples.first, ProblemDocument.schema, ProblemDocument.schemaName)
        }
    }

    @Test(arguments: ["/v1/downloads", "/v1/packs/{id}/repair"])
    func `the example of an installation has a download if its status is 202, and a pack if it is 200`(
        path: String
    ) async throws {
        try await home.serve { client in
            let document: JSONValue = try await client.ask("GET", "/v1/openapi.json").json()
            let responses = document["paths"]?[path]?["post"]?["responses"]
            let done = responses?["200"]?["content"]?["application/json"]?["example"]
            #expect(done?["download"] == .null && done?["pack"]?["productIdentifier"] != nil, "\(path)")
            let begun = responses?["202"]?["content"]?["application/json"]?["example"]
            #expect(begun?["pack"] == .null && begun?["download"]?["operation"] != nil, "\(path)")
        }
    }

    @Test func `the example of every document matches its schema`() throws {
        let types = DocumentSamples.complete.compactMap { $0.type as? any ExampleProviding.Type }
        #expect(types.count > 35)
        // The routes of scenarios are not those of an ordinary daemon.
        #expect(types.contains { $0 == ClockRequest.self } && types.contains { $0 == ClockDocument.self })
        for type in types { try check(type.exampleJSON, type.schema, type.schemaName) }
    }

    @Test func `the daemon refuses no example of a request as invalid`() async throws {
        // The store's address is not one of this machine, and a stream of events does not end.
        let omitted: Set = ["addStore", "events"]
        try await home.serve { client in
            for route in client.routes where route.method != .head && !omitted.contains(route.endpoint?.name ?? "") {
                let path = try route.segments.map { segment -> String in
                    guard segment == "**" || segment.hasPrefix(":") else { return String(segment) }
                    let name = segment == "**" ? "path" : segment.dropFirst()
                    let parameter = try #require(
                        route.parameters.first { $0.location == .path && $0.name == name }, "\(route.path)")
                    switch parameter.example {
                    case .string(let text): return PathSegment.encode(text)
                    case .integer(let number): return "\(number)"
                    default: throw TestClient.Failure(description: "\(route.path): no example of '\(name)'")
                    }
                }
                let query = try route.parameters.filter { $0.location == .query && $0.isRequired }.map { parameter in
                    guard case .string(let text) = parameter.example else {
                        throw TestClient.Failure(description: "\(route.path): no example of '\(parameter.name)'")
                    }
                    return "\(parameter.name)=\(PathSegment.encode(text))"
                }
                let target =
                    "/" + path.joined(separator: "/") + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
                let body = try route.endpoint?.body?.example?.asWritten
                let answer = try #require(
                    await client.client.send(route.method.rawValue, target, body: body), "\(route.path)")
                #expect(
                    ![400, 415].contains(answer.status) && answer.status < 500,
                    "\(route.method.rawValue) \(route.path): \(answer.status) \(answer.text)")
            }
        }
    }

    @Test func `the example of the page of a skin is the beginning of the page`() async throws {
        try await home.serve { client in
            let path = "/v1/skin/page"
            let route = client.routes.first { $0.method == .get && $0.path == path }
            guard case .text(_, let example) = route?.endpoint?.responses.first?.content else {
                Issue.record("the page is not described")
                return
            }
            let page = try await client.ask("GET", path).text
            #expect(page.hasPrefix(example))
        }
    }

    @Test func `the example of a setting describes a setting as the daemon does`() throws {
        let example = SettingDocument.example
        let key = try SettingKey(named: example.key)
        #expect(example.summary == key.summary && example.needsRestart == key.needsRestart)
    }

    /// Proves that the other tests find examples that say nothing.
    @Test(arguments: [.null, "", [], [:], ["packs": [], "next": .null], [["name": ""]]] as [JSONValue])
    func `a value without content is a placeholder`(value: JSONValue) {
        #expect(value.isPlaceholder)
        #expect(!JSONValue.array([value, false]).isPlaceholder)
    }

    // MARK: Checks

    private func check(parametersOf route: Route, in operation: JSONValue, _ name: String) throws {
        let described: [JSONValue] = if case .array(let all) = operation["parameters"] { all } else { [] }
        for parameter in route.parameters {
            let example = described.first { $0["name"] == .string(parameter.name) }?["example"]
            if parameter.location == .path { #expect(example != nil, "\(name) \(parameter.name)") }
            if let example { try check(example, parameter.schema, "\(name) \(parameter.name)") }
        }
    }

    private func check(_ content: JSONValue?, _ described: EndpointResponse.Content, _ name: String) throws {
        switch described {
        case .none: #expect(content == nil, "\(name)")
        case .document(let reference):
            try check(content?["application/json"]?["example"], reference.schema, name)
        case .text(let mediaType, _): try check(content?[mediaType]?["example"], .nonEmptyText, name)
        case .metrics: try check(content?["text/plain"]?["example"], .nonEmptyText, name)
        case .eventStream:
            guard case .string(let stream) = content?["text/event-stream"]?["example"] else {
                Issue.record("\(name): no example")
                return
            }
            let beginning = "id: \(Event.example.sequence)\ndata: "
            #expect(stream.hasPrefix(beginning) && stream.hasSuffix("\n\n"), "\(stream)")
            let data = Data(stream.dropFirst(beginning.count).utf8)
            try check(JSON.decode(JSONValue.self, from: data), Event.schema, name)
        case .openAPIDocument:
            let schema = Schema.document(
                "", [.required("openapi", .nonEmptyText), .required("info", .dictionary(to: .nonEmptyText))])
            try check(content?["application/json"]?["example"], schema, name)
        case .binary(let mediaTypes):
            // Bytes have no JSON form: their media types are what a reader needs.
            #expect(!mediaTypes.isEmpty && !mediaTypes.contains("*/*"), "\(name)")
            #expect(content == .object(Dictionary(uniqueKeysWithValues: mediaTypes.map { ($0, [:]) })), "\(name)")
        }
    }

    private func check(_ example: JSONValue?, _ schema: Schema, _ name: String) throws {
        let example = try #require(example, "\(name): no example")
        #expect(!example.isPlaceholder, "\(name)")
        #expect(throws: Never.self, "\(name)") { try schema.validate(example, rejectsUnknownProperties: true) }
    }
}

extension JSONValue {
    fileprivate subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// Whether the value says nothing: it is empty, or everything in it is.
    fileprivate var isPlaceholder: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let values): values.allSatisfy(\.isPlaceholder)
        case .object(let members): members.values.allSatisfy(\.isPlaceholder)
        case .bool, .integer, .number: false
        }
    }
}
