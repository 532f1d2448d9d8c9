import StoreModel
import StoreOpenAPI
import Testing

@Suite struct OpenAPIDocumentTests {
    private enum Problem: SchemaProviding {
        static let schemaName = "Problem"
        static let schema = Schema.document("An error.", [.required("code", .text(.errorCode))])
    }

    private enum Additional: SchemaProviding {
        static let schemaName = "Additional"
        static let schema = Schema.document("Named by no route.", [.required("inner", .reference(to: Leaf.self))])
    }

    private enum Leaf: SchemaProviding {
        static let schemaName = "Leaf"
        static let schema = Schema.document("Named by another schema.", [])
    }

    private let document: OpenAPIDocument

    init() {
        let routes = [
            Route(
                method: .get, path: "/v1/things/:id",
                endpoint: Endpoint("thing", "One thing.", .languages, .ok(SampleDocument.self, "The thing."))),
            Route(
                method: .head, path: "/v1/things/:id",
                endpoint: Endpoint("thing", "One thing.", .languages, .ok(SampleDocument.self, "The thing."))),
            Route(
                method: .post, path: "/v1/things/:id",
                endpoint: Endpoint("add", "Adds.", body: SampleRequest.self, .accepted(SampleDocument.self, "Added."))),
            Route(method: .get, path: "/hidden", endpoint: nil),
        ]
        document = OpenAPIDocument(
            .init(title: "Title", summary: "Summary", description: "Description", version: "1", server: "Here"),
            routes: routes,
            errors: .init(problem: Problem.self, codes: { _ in [.unexpected, .cancelled, ErrorCode("a.b", .usage)] }) {
                $0.exitCode == .usage ? 400 : 500
            },
            additionalSchemas: [Additional.self])
    }

    private var operations: JSONValue? { document.json["paths"]?["/v1/things/{id}"] }

    @Test func `every route with an endpoint is an operation, except HEAD`() {
        guard case .object(let paths) = document.json["paths"], case .object(let item) = operations else {
            Issue.record("the document has no paths")
            return
        }
        #expect(Set(paths.keys) == ["/v1/things/{id}"])
        #expect(Set(item.keys) == ["get", "post"])
        #expect(item["get"]?["operationId"] == "thing")
        #expect(item["get"]?["tags"] == ["things"])
    }

    @Test func `the components are those that routes and other schemas refer to`() {
        #expect(Set(document.schemas.keys) == ["Inner", "Request", "Problem", "Additional", "Leaf"])
        guard case .object(let rendered) = document.json["components"]?["schemas"] else {
            Issue.record("the document has no components")
            return
        }
        #expect(Set(rendered.keys) == Set(document.schemas.keys))
    }

    @Test func `errors are grouped by status`() {
        let responses = operations?["get"]?["responses"]
        #expect(responses?["400"]?["description"] == "`a.b`.")
        #expect(responses?["500"]?["description"] == "`internal.unexpected`, `operation.cancelled`.")
        #expect(
            responses?["400"]?["content"]
                == ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]])
    }

    @Test func `a conditional endpoint has an entity tag and 304`() {
        let get = operations?["get"]?["responses"]
        #expect(get?["200"]?["headers"]?["ETag"] != nil)
        #expect(get?["304"]?["headers"]?["ETag"] != nil)
        let post = operations?["post"]?["responses"]
        #expect(post?["202"]?["headers"] == nil && post?["304"] == nil)
    }

    @Test func `a body is required, and refers to its schema`() {
        #expect(
            operations?["post"]?["requestBody"]
                == [
                    "required": true,
                    "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Request"]]],
                ])
        #expect(operations?["get"]?["requestBody"] == nil)
    }
}

extension [Parameter] {
    fileprivate static let languages = [Parameter.header("Accept-Language", .text, "Languages.")]
}
