import StoreOpenAPI

/// A request document with a nullable reference, for tests.
enum SampleRequest: SchemaProviding {
    static let schemaName = "Request"
    static let schema = Schema.request(
        "A.",
        [
            .required("name", .nonEmptyText), .optional("count", .count),
            .optional("words", .array(of: .enumeration(["a", "b"]))),
            .optional("inner", .reference(to: SampleDocument.self).nullable),
        ])
}

/// A response document, for tests.
enum SampleDocument: SchemaProviding {
    static let schemaName = "Inner"
    static let schema = Schema.document(
        "B.", [.required("flag", .boolean), .optional("text", .oneOf([.text, .count]))])
}
