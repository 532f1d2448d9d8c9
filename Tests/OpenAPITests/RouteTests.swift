import StoreOpenAPI
import Testing

@Suite struct RouteTests {
    private let route = Route(
        method: .get, path: "/v1/packs/:id/files/**",
        endpoint: Endpoint(
            "packFile", "A file.",
            [
                .query("limit", .integer(in: 1...9), "A."), .query("free", .boolean, "B."),
                .header("Range", .count, "C."),
            ],
            .ok(.binary(mediaTypes: ["image/png"]), "The file.")),
        pathParameters: ["id": .path("id", .nonEmptyText, "A productIdentifier.")])

    private func validate(_ query: [String: String], header: String? = nil) throws {
        try route.validate(query: query) { _ in
            "a"
        } header: {
            $0 == "Range" ? header : nil
        }
    }

    @Test func `the template is the notation of OpenAPI`() {
        #expect(route.template == "/v1/packs/{id}/files/{path}")
    }

    @Test(arguments: [
        ("v1/packs/a/files/x", true), ("v1/packs/a/files/x/y", true), ("v1/packs/a/files", false),
        ("v1/packs/a", false), ("v2/packs/a/files/x", false),
    ])
    func `a path matches the segments of the pattern`(path: String, matches: Bool) {
        #expect(route.matches(path.split(separator: "/")) == matches)
    }

    @Test func `all parameters are described, those of the path first`() {
        #expect(route.parameters.map(\.name) == ["id", "path", "limit", "free", "Range", "If-None-Match"])
        #expect(route.parameters.first?.summary == "A productIdentifier.")
    }

    @Test func `an endpoint's own path parameter replaces the common one`() {
        let route = Route(
            method: .get, path: "/a/:id", endpoint: Endpoint("a", "A.", [.path("id", .count, "B.")], .noContent("C.")),
            pathParameters: ["id": .path("id", .nonEmptyText, "D.")])
        #expect(route.parameters.map(\.summary) == ["B."])
        let violation = #expect(throws: ParameterViolation.self) {
            try route.validate(query: [:]) { _ in
                "x"
            } header: { _ in
                nil
            }
        }
        #expect(violation?.description == "parameter 'id' must be an integer of at least 0, not 'x'")
    }

    @Test func `parameters as described are valid`() throws {
        try validate([:])
        try validate(["limit": "9", "free": "false"], header: "1")
        try validate([:], header: "")
    }

    @Test(
        arguments: [
            (["limit": "0"], nil, "parameter 'limit' must be an integer from 1 to 9, not 0"),
            (["free": "True"], nil, "parameter 'free' must be 'true' or 'false', not 'True'"),
            (["limits": "1"], nil, "parameter 'limits' is unknown; the known ones are 'limit', 'free'"),
            ([:], "x", "parameter 'Range' must be an integer of at least 0, not 'x'"),
            (
                [:], "99999999999999999999",
                "parameter 'Range' must be an integer from 0 to 9223372036854775807, not '99999999999999999999'"
            ),
        ] as [([String: String], String?, String)])
    func `a violation names the parameter`(query: [String: String], header: String?, description: String) {
        let violation = #expect(throws: ParameterViolation.self) { try validate(query, header: header) }
        #expect(violation?.description == description)
    }

    @Test func `a required parameter that is missing is named, and described as required`() throws {
        let route = Route(
            method: .get, path: "/a",
            endpoint: Endpoint("a", "A.", [.requiredQuery("text", .nonEmptyText, "B.", example: "c")], .noContent("C."))
        )
        func reason(_ query: [String: String]) -> String? {
            do {
                try route.validate(query: query) { _ in
                    ""
                } header: { _ in
                    nil
                }
                return nil
            } catch { return "\(error)" }
        }
        #expect(reason([:]) == "parameter 'text' is missing")
        #expect(reason(["text": ""]) == "parameter 'text' must not be empty")
        #expect(reason(["text": "x"]) == nil)
        #expect(route.parameters.first?.isRequired == true)
    }

    @Test(arguments: [(Route.Method.post, true), (.put, true), (.patch, true), (.get, false), (.delete, false)])
    func `methods that usually have a body reject one that is not described`(method: Route.Method, rejects: Bool) {
        let without = Route(method: method, path: "/a", endpoint: Endpoint("a", "A.", .noContent("B.")))
        let with = Route(
            method: method, path: "/a", endpoint: Endpoint("a", "A.", body: SampleRequest.self, .noContent("B.")))
        #expect(without.rejectsBody == rejects)
        #expect(!with.rejectsBody)
    }
}
