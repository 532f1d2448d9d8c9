import Foundation
import StoreAPI
import StoreModel
import Testing

@testable import StoreServer

/// The interface's document says of every document what the values that are written say.
@Suite struct OpenAPIDocumentTests {
    @Test(arguments: DocumentSamples.documents.indices)
    func everyMemberIsDescribed(index: Int) throws {
        let (name, sample) = DocumentSamples.documents[index]
        let value: JSONValue = try JSON.decode(from: JSON.encode(sample))
        let schema = try #require(Components.all[name])
        try schema.check(value, with: Components.all, isStrict: true)
        guard case .object(let members) = value else { return }
        let described = schema.memberNames(Components.all)
        if name != "Event" { #expect(Set(members.keys) == described, "\(name)") }
    }

    @Test(arguments: DocumentSamples.sparse.indices)
    func whatCanBeMissingMayBe(index: Int) throws {
        let (name, sample) = DocumentSamples.sparse[index]
        let value: JSONValue = try JSON.decode(from: JSON.encode(sample))
        try #require(Components.all[name]).check(value, with: Components.all, isStrict: true)
    }

    @Test func everyComponentHasASample() {
        #expect(Set(DocumentSamples.documents.map(\.component)) == Set(Components.all.keys))
    }

    @Test func everyWordOfAnErrorIsOneThatTheDocumentAllows() throws {
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
            #expect(throws: Never.self, "\(word)") {
                try Schema.text(.errorCode).check(.string(word), with: [:])
            }
        }
        for wrong in ["", "word", "a.b.c", "A.b", "a.B", "a.", ".a", "a.b c"] {
            #expect(throws: SchemaFault.self, "\(wrong)") {
                try Schema.text(.errorCode).check(.string(wrong), with: [:])
            }
        }
    }

    /// A member taken away or of another type has to be found, or the tests above would show nothing.
    @Test(arguments: DocumentSamples.documents.indices)
    func aMemberLessOrOfAnotherTypeIsFound(index: Int) throws {
        let (name, sample) = DocumentSamples.documents[index]
        let schema = try #require(Components.all[name])
        guard case .object(let members) = try JSON.decode(JSONValue.self, from: JSON.encode(sample)) else { return }
        // What may be any value is of no type.
        for member in members.keys where (name, member) != ("SkinValue", "value") {
            var wrong = members
            wrong[member] = [[]]
            #expect(throws: SchemaFault.self, "\(name).\(member)") {
                try schema.check(.object(wrong), with: Components.all, isStrict: true)
            }
        }
        for member in schema.requiredNames(Components.all) {
            var less = members
            less[member] = nil
            #expect(throws: SchemaFault.self, "\(name).\(member)") {
                try schema.check(.object(less), with: Components.all)
            }
        }
    }
}

extension Schema {
    private func members(_ components: [String: Schema]) -> [Member] {
        switch shape {
        case .object(let members, _, _): members
        case .component(let name): components[name]?.members(components) ?? []
        case .all(let schemas): schemas.flatMap { $0.members(components) }
        default: []
        }
    }

    fileprivate func memberNames(_ components: [String: Schema]) -> Set<String> {
        Set(members(components).map(\.name))
    }

    fileprivate func requiredNames(_ components: [String: Schema]) -> [String] {
        members(components).filter(\.isRequired).map(\.name)
    }
}
