import StoreModel
import StoreOpenAPI
import Testing

@Suite struct SchemaValidationTests {
    @Test(arguments: [
        #"{"name":"a"}"#, #"{"name":"a","count":0,"words":["a","b","a"],"inner":null}"#,
        #"{"name":"a","inner":{"flag":true,"unknown":1}}"#, #"{"name":"a","inner":{"flag":false,"text":1}}"#,
        #"{"name":"a","count":1.0}"#, #"{"name":"a","count":9223372036854775807}"#,
    ])
    func `a value that matches its schema is valid`(json: String) throws {
        let value: JSONValue = try JSON.decode(from: .init(json.utf8))
        try Schema.reference(to: SampleRequest.self).validate(value)
    }

    @Test(arguments: [
        ("[]", "the value must be an object, not an array"), ("{}", "'name' is missing"),
        (#"{"name":""}"#, "'name' must not be empty"), (#"{"name":1}"#, "'name' must be a string, not 1"),
        (#"{"name":null}"#, "'name' must be a string, not null"),
        (#"{"name":"a","count":-1}"#, "'count' must be an integer of at least 0, not -1"),
        (#"{"name":"a","count":0.5}"#, "'count' must be an integer of at least 0, not 0.5"),
        (#"{"name":"a","count":1e300}"#, "'count' must be an integer from 0 to 9223372036854775807, not 1e+300"),
        (
            #"{"name":"a","count":9223372036854775808}"#,
            "'count' must be an integer from 0 to 9223372036854775807, not 9.223372036854776e+18"
        ),
        (
            #"{"nmae":"a"}"#,
            "'nmae' is not a known property; the known ones are 'name', 'count', 'words', 'inner'"
        ),
        (#"{"name":"a","count":true}"#, "'count' must be an integer of at least 0, not true"),
        (#"{"name":"a","words":["a","c"]}"#, "'words.1' must be one of 'a', 'b', not 'c'"),
        (#"{"name":"a","words":"a"}"#, "'words' must be an array, not 'a'"),
        (#"{"name":"a","inner":{}}"#, "'inner.flag' is missing"),
        (#"{"name":"a","inner":1}"#, "'inner' must be an object, not 1"),
        (
            #"{"name":"a","inner":{"flag":true,"text":-1}}"#,
            "'inner.text' must be a string or an integer of at least 0"
        ),
        (
            #"{"nam":"a","name":"a"}"#,
            "'nam' is not a known property; the known ones are 'name', 'count', 'words', 'inner'"
        ),
    ])
    func `a violation names the member and the reason`(json: String, description: String) throws {
        let value: JSONValue = try JSON.decode(from: .init(json.utf8))
        let violation = #expect(throws: SchemaViolation.self) {
            try Schema.reference(to: SampleRequest.self).validate(value)
        }
        #expect(violation?.description == description)
    }

    @Test func `strict validation rejects unknown properties of documents`() throws {
        let value: JSONValue = ["name": "a", "inner": ["flag": true, "unknown": 1]]
        try Schema.reference(to: SampleRequest.self).validate(value)
        #expect(throws: SchemaViolation.self) {
            try Schema.reference(to: SampleRequest.self).validate(value, rejectsUnknownProperties: true)
        }
    }

    @Test func `allOf joins the properties of its parts`() throws {
        let schema = Schema(
            .allOf([.document("A.", [.required("type", .enumeration(["a"]))]), .reference(to: SampleDocument.self)]))
        try schema.validate(["type": "a", "flag": true], rejectsUnknownProperties: true)
        #expect(schema.properties.map(\.name) == ["type", "flag", "text"])
        for wrong in [["type": "b", "flag": true], ["type": "a"], ["flag": true]] as [JSONValue] {
            #expect(throws: SchemaViolation.self) { try schema.validate(wrong) }
        }
    }

    @Test func `a request needs its minimum of properties`() throws {
        let schema = Schema.request("A.", minimumCount: 1, [.optional("a", .count), .optional("b", .count)])
        try schema.validate(["b": 1])
        let violation = #expect(throws: SchemaViolation.self) { try schema.validate([:]) }
        #expect(violation?.description == "the value must have at least 1 of 'a', 'b'")
    }

    @Test(arguments: [
        (StringFormat.permission, "network.read", "Network"), (.errorCode, "a.b-1", "a.b.c"),
        (.tokenName, String(repeating: "é", count: 64), String(repeating: "e", count: 65)),
        (.sha256, String(repeating: "0a", count: 32), "0a"), (.dateTime, "2024-01-02T03:04:05Z", "yesterday"),
        (.sha256, String(repeating: "0a", count: 32), String(repeating: "0A", count: 32)), (.base64, "aGk=", "aGk"),
    ])
    func `a string has to follow its format`(format: StringFormat, right: String, wrong: String) throws {
        try Schema.text(format).validate(.string(right))
        #expect(throws: SchemaViolation.self) { try Schema.text(format).validate(.string(wrong)) }
        #expect(throws: SchemaViolation.self) { try Schema.text(format).validate("") }
    }
}
