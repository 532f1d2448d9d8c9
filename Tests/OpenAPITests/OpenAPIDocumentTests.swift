import StoreModel
import StoreOpenAPI
import Testing

@Suite struct OpenAPIDocumentTests {
    private struct Problem: ExampleProviding {
        var code = "a.b"

        static let schemaName = "Problem"
        static let schema = Schema.document("An error.", [.required("code", .text(.errorCode))])
        static let example = Problem()
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
    private let json: JSONValue

    init() throws {
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
            Route(
                method: .get, path: "/v1/things/:id/picture",
                endpoint: Endpoint(
                    "picture", "Bytes.", [.path("id", .nonEmptyText, "An identifier.", example: "cups")],
                    .ok(.binary(mediaTypes: ["image/png", "application/octet-stream"]), "The bytes."))),
            Route(
                method: .get, path: "/v1/text",
                endpoint: Endpoint("text", "Text.", .ok(.text(mediaType: "text/css", example: "a {}"), "The text."))),
            Route(method: .get, path: "/hidden", endpoint: nil),
        ]
        document = OpenAPIDocument(
            .init(title: "Title", summary: "Summary", description: "Description", version: "1", server: "Here"),
            routes: routes,
            errors: .init(problem: Problem.self, codes: { _ in [.unexpected, .cancelled, ErrorCode("a.b", .usage)] }) {
                $0.exitCode == .usage ? 400 : 500
            },
            additionalSchemas: [Additional.self])
        json = try document.json
    }

    private var operations: JSONValue? { json["paths"]?["/v1/things/{id}"] }

    @Test func `every route with an endpoint is an operation, except HEAD`() {
        guard case .object(let paths) = json["paths"], case .object(let item) = operations else {
            Issue.record("the document has no paths")
            return
        }
        #expect(Set(paths.keys) == ["/v1/things/{id}", "/v1/things/{id}/picture", "/v1/text"])
        #expect(Set(item.keys) == ["get", "post"])
        #expect(item["get"]?["operationId"] == "thing")
        #expect(item["get"]?["tags"] == ["things"])
    }

    @Test func `the components are those that routes and other schemas refer to`() {
        #expect(Set(document.schemas.keys) == ["Inner", "Request", "Problem", "Additional", "Leaf"])
        guard case .object(let rendered) = json["components"]?["schemas"] else {
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
                    "content": [
                        "application/json": [
                            "schema": ["$ref": "#/components/schemas/Request"],
                            "example": ["name": "cups", "words": ["a"]],
                        ]
                    ],
                ])
        #expect(operations?["get"]?["requestBody"] == nil)
    }

    @Test func `each response has the example of its type, and the schema of errors has its own`() {
        let thing = operations?["get"]?["responses"]?["200"]?["content"]?["application/json"]
        #expect(thing?["example"] == ["flag": true])
        let text = json["paths"]?["/v1/text"]?["get"]?["responses"]?["200"]?["content"]
        #expect(text == ["text/css": ["schema": ["type": "string"], "example": "a {}"]])
        #expect(json["components"]?["schemas"]?["Problem"]?["examples"] == [["code": "a.b"]])
        #expect(json["components"]?["schemas"]?["Leaf"]?["examples"] == nil)
    }

    @Test func `bytes have the media types that they can have, and no schema`() {
        let picture = json["paths"]?["/v1/things/{id}/picture"]?["get"]
        #expect(picture?["responses"]?["200"]?["content"] == ["image/png": [:], "application/octet-stream": [:]])
        #expect(
            picture?["parameters"]
                == [
                    [
                        "name": "id", "in": "path", "required": true, "description": "An identifier.",
                        "schema": ["type": "string", "minLength": 1], "example": "cups",
                    ],
                    [
                        "name": "If-None-Match", "in": "header", "schema": ["type": "string"],
                        "description": "Entity tags that the client has: 304 if one of them is current.",
                    ],
                ])
    }
}

extension [Parameter] {
    fileprivate static let languages = [Parameter.header("Accept-Language", .text, "Languages.")]
}
