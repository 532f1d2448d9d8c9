import FoundationEssentials
import StoreModel
import Testing

/// Tests that mistakes in JSON documents are found by line and column.
@Suite struct JSONPositionTests {
    @Test(arguments: [
        ("", 1, 1), ("{", 1, 2), ("{\n  \"a\" 1\n}", 2, 7), ("[1,\n]", 2, 1), ("[\"ä\"\n\"b\"]", 2, 1),
        ("{}\n\nx", 3, 1),
        ("[\n01]", 2, 1), ("[1.]", 1, 2), ("[+1]", 1, 2), ("[\n\"a\\x\"]", 2, 2), ("\u{FEFF}[x]", 1, 2),
        ("[\"äö\", x]", 1, 8),
        ("[tru]", 1, 2), ("[\"a", 1, 4),
    ])
    func `a syntax error has a line and a column`(text: String, line: Int, column: Int) throws {
        let position = try #require(JSON.positionOfSyntaxError(in: Data(text.utf8)))
        #expect(position.line == line && position.column == column, "\(position)")
    }

    @Test(arguments: [
        "0", "-0.5e+10", "[1E3, 10, -1]", #"{"a": ["\u00e4", "\n", true, false, null]}"#, "\u{FEFF} {} \r\n",
    ])
    func `a valid document has no syntax error`(text: String) throws {
        #expect(JSON.positionOfSyntaxError(in: Data(text.utf8)) == nil)
        _ = try JSON.decode(JSONValue.self, from: Data(text.utf8))
    }

    private struct Document: Decodable {
        struct Item: Decodable { let words: [String] }
        let items: [Item]
        let texts: [String: String]
    }

    @Test(arguments: [
        (#""items": 1, "texts": {}"#, 1, 11), ("\"items\": [\n{\"words\": []},\n{\"words\": 7}],\"texts\": {}", 3, 11),
        ("\"texts\": {\"a\": \"b\", \n\"b\": 1}, \"items\": []", 2, 6),
        ("\"items\": [{\"words\": [\"a\",\n\"b\", 1]}], \"texts\": {}", 2, 6),
    ])
    func `the value that could not be decoded has a line and a column`(members: String, line: Int, column: Int) throws {
        let document = Data("{\(members)}".utf8)
        let error = try #require(throws: DecodingError.self) { try JSON.decode(Document.self, from: document) }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        let position = try #require(JSON.position(of: context.codingPath, in: document))
        #expect(position.line == line && position.column == column, "\(position)")
    }

    @Test func `a path that leads nowhere has no position`() {
        #expect(JSON.position(of: [Key(stringValue: "b")], in: Data(#"{"a": 1}"#.utf8)) == nil)
        #expect(JSON.position(of: [Key(stringValue: "a")], in: Data("[1]".utf8)) == nil)
        #expect(JSON.position(of: [], in: Data(" 1".utf8))?.column == 2)
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
