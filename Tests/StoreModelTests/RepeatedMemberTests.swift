import FoundationEssentials
import StoreModel
import Testing

/// Tests that no document is read in which a member of an object occurs twice.
@Suite struct RepeatedMemberTests {
    private static let many = (0..<100).map { "\"member-\($0)\":\($0)" }.joined(separator: ",")

    @Test(arguments: [
        (#"{"a":1,"a":1}"#, "a"), (#"{"a":1,"b":2,"a":3}"#, "a"), (#"{"a":1,"\u0061":2}"#, "a"),
        (#"[1,{"x":{"y":[{"b":1,"c":2,"b":3}]}}]"#, "b"), (#"{"":1,"":2}"#, ""), (#"{"a":{},"a":[]}"#, "a"),
        // Canonically equivalent names are one name in a dictionary of Swift.
        (#"{"é":1,"e\u0301":2}"#, "é"), (#"{"K":1,"\u212a":2}"#, "K"),
        ("{\(many),\"member-7\":0}", "member-7"), ("\u{FEFF}{\"a\":1,\"a\":2}", "a"),
    ])
    func `a document in which a member occurs twice is refused`(text: String, name: String) throws {
        let error = try #require(throws: JSONReader.Malformed.self) {
            try JSON.decode(JSONValue.self, from: Data(text.utf8))
        }
        #expect(error.repeatedMember == name)
        #expect("\(error)" == "the member '\(name)' occurs twice")
    }

    @Test(arguments: [
        #"{"a":{"a":1},"b":[{"a":1},{"a":2}]}"#, #"{"a":1,"A":2," a":3,"\\u0061":4}"#, "{\(many)}", "\u{FEFF}[]", "1",
    ])
    func `the same name in different objects is no repetition`(text: String) throws {
        _ = try JSON.decode(JSONValue.self, from: Data(text.utf8))
    }

    @Test func `nesting does not hide a repeated member`() {
        for depth in [1, 100, 127, 128, 200, 400, 511, 100_000] {
            let text = String(repeating: "[", count: depth) + #"{"a":1,"a":2}"# + String(repeating: "]", count: depth)
            #expect(throws: (any Error).self, "\(depth)") { try JSON.decode(JSONValue.self, from: Data(text.utf8)) }
        }
    }

    @Test func `a syntax error is one of the decoder, which knows its place`() {
        #expect(throws: DecodingError.self) { try JSON.decode(JSONValue.self, from: Data("{\n  \"a\" 1\n}".utf8)) }
    }

    @Test func `a list that is read without Codable is held to the same`() throws {
        var reader: String { #"{"en":"a","en":"b"}"# }
        #expect(throws: JSONReader.Malformed.self) { try JSON.read(LocalizedText.self, from: Data(reader.utf8)) }
        #expect(try JSON.read(LocalizedText.self, from: Data(#"{"en":"a","pt":"b"}"#.utf8)).text(in: ["pt"]) == "b")
    }
}
