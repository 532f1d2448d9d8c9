import StoreOpenAPI

/// A request document with a nullable reference, for tests.
struct SampleRequest: ExampleProviding {
    var name = "cups"
    var words = ["a"]

    static let schemaName = "Request"
    static let schema = Schema.request(
        "A.",
        [
            .required("name", .nonEmptyText), .optional("count", .count),
            .optional("words", .array(of: .enumeration(["a", "b"]))),
            .optional("inner", .reference(to: SampleDocument.self).nullable),
        ])
    static let example = SampleRequest()
}

/// A response document, for tests.
struct SampleDocument: ExampleProviding {
    var flag = true

    static let schemaName = "Inner"
    static let schema = Schema.document(
        "B.", [.required("flag", .boolean), .optional("text", .oneOf([.text, .count]))])
    static let example = SampleDocument()
}
