import Foundation
import StoreModel
import Testing

@Suite struct JSONValueTests {
    private func decode(_ text: String) throws -> JSONValue { try JSON.decode(JSONValue.self, from: Data(text.utf8)) }

    @Test func `each value keeps its type`() throws {
        let values: [(String, JSONValue)] = [
            ("null", .null), ("true", .bool(true)), ("-7", .integer(-7)), ("1.5", .number(1.5)),
            ("18446744073709551616", .number(18_446_744_073_709_551_616)), (#""1""#, .string("1")),
            (#""""#, .string("")),
            ("[]", .array([])), ("{}", .object([:])),
            (#"[null,[1],{"a":"b"}]"#, .array([.null, .array([.integer(1)]), .object(["a": .string("b")])])),
            (#"{"a":{"b":[true,0.5]}}"#, .object(["a": .object(["b": .array([.bool(true), .number(0.5)])])])),
        ]
        for (text, value) in values {
            #expect(try decode("[\(text)]") == .array([value]), "\(text)")
            #expect(try decode(#"{"x":\#(text)}"#) == .object(["x": value]), "\(text)")
        }
    }

    @Test func `the error of a number that is too large says where it is`() throws {
        let error = #expect(throws: DecodingError.self) { try decode(#"{"a":[0,{"x":1e400}]}"#) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1", "x"])
    }
}
