import Foundation
import StoreAPI
import StoreModel
import StoreOpenAPI
import Testing

@testable import StoreServer

/// Holds the schema of each wire document to the JSON that its type encodes.
@Suite struct DocumentSchemaTests {
    @Test(arguments: DocumentSamples.complete)
    func `a schema has exactly the members that its type encodes`(sample: DocumentSample) throws {
        let value = try sample.json
        try sample.type.schema.validate(value, rejectsUnknownProperties: true)
        // The schema of all events is a choice among those of its types, and has no properties of its own.
        if sample.type == Event.self {
            #expect(sample.type.schema.properties.isEmpty)
        } else {
            #expect(try Set(value.members.keys) == Set(sample.type.schema.properties.map(\.name)))
        }
    }

    @Test(arguments: DocumentSamples.sparse)
    func `a document without its optional members is valid`(sample: DocumentSample) throws {
        try sample.type.schema.validate(sample.json, rejectsUnknownProperties: true)
    }

    @Test(arguments: DocumentSamples.complete)
    func `each optional member is unset in a sample`(sample: DocumentSample) throws {
        let sparse = try DocumentSamples.sparse.filter { $0.type == sample.type }.map { try $0.json }
        for property in sample.type.schema.properties where property.isOptionalOrNullable {
            let isUnset = sparse.contains { value in
                guard case .object(let members) = value else { return false }
                return members[property.name] == nil || members[property.name] == .null
            }
            #expect(isUnset, "\(property.name)")
        }
    }

    @Test func `every schema of the interface has a sample`() async throws {
        let server = try APITestServer()
        try await server.serve { client in
            let document = OpenAPIDocument(
                .init(title: "", summary: "", description: "", version: "", server: ""), routes: client.routes,
                errors: .init(problem: ProblemDocument.self, codes: { _ in [] }, status: { _ in 500 }),
                additionalSchemas: [Event.self, ClockRequest.self, ClockDocument.self])
            let samples = DocumentSamples.complete.map { $0.type.schemaName }
            #expect(Set(samples) == Set(document.schemas.keys))
            #expect(Set(samples).count == samples.count)
        }
    }

    @Test func `a member that is text by language describes both of its forms`() {
        func isLocalized(_ schema: Schema) -> Bool {
            switch schema.shape {
            case .nullable(let other): isLocalized(other)
            case .oneOf(let forms):
                forms.count == 2 && forms.contains { if case .dictionary = $0.shape { true } else { false } }
            default: false
            }
        }
        var checked: Set<String> = []
        for sample in DocumentSamples.complete {
            for property in sample.type.schema.properties where isLocalized(property.schema) {
                let member = "\(sample.type.schemaName).\(property.name)"
                let isDescribed =
                    property.schema.description?.contains("an object with a string for each language tag") == true
                #expect(isDescribed, "\(member)")
                checked.insert(member)
            }
        }
        #expect(checked.count >= 6, "\(checked)")
    }

    @Test func `every error code in the sources matches the documented pattern`() throws {
        let sources = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appending(path: "Sources").path
        var words: Set<String> = []
        for file in FileManager.default.subpaths(atPath: sources) ?? [] where file.hasSuffix(".swift") {
            let code = String(
                decoding: FileManager.default.contents(atPath: sources + "/" + file) ?? Data(), as: UTF8.self)
            words.formUnion(code.matches(of: /ErrorCode\(\s*"([^"]*)"/).map { String($0.1) })
        }
        #expect(words.count > 100)
        for word in words {
            #expect(throws: Never.self, "\(word)") { try Schema.text(.errorCode).validate(.string(word)) }
        }
        for wrong in ["", "word", "a.b.c", "A.b", "a.B", "a.", ".a", "a.b c"] {
            #expect(throws: SchemaViolation.self, "\(wrong)") {
                try Schema.text(.errorCode).validate(.string(wrong))
            }
        }
    }

    /// Proves that the other tests can fail.
    @Test(arguments: DocumentSamples.complete)
    func `a missing member or one of another type is a violation`(sample: DocumentSample) throws {
        let schema = sample.type.schema
        let members = try sample.json.members
        // Any value is valid as the value of a skin.
        for member in members.keys where !(sample.type == SkinValues.Value.self && member == "value") {
            var wrong = members
            wrong[member] = [[]]
            #expect(throws: SchemaViolation.self, "\(member)") {
                try schema.validate(.object(wrong), rejectsUnknownProperties: true)
            }
        }
        for property in schema.properties where property.isRequired {
            var less = members
            less[property.name] = nil
            #expect(throws: SchemaViolation.self, "\(property.name)") { try schema.validate(.object(less)) }
        }
    }
}

extension Schema.Property {
    fileprivate var isOptionalOrNullable: Bool {
        if case .nullable = schema.shape { true } else { !isRequired }
    }
}

extension JSONValue {
    /// The members of an object; reading them fails the test if this is none.
    fileprivate var members: [String: JSONValue] {
        get throws {
            let members: [String: JSONValue]? = if case .object(let members) = self { members } else { nil }
            return try #require(members, "\(self)")
        }
    }
}
