import StoreModel
import Testing

@testable import StoreServer

@Suite struct SchemaTests {
    private static let components: [String: Schema] = [
        "Request": .request(
            "A.",
            [
                .member("name", .name), .optional("count", .count), .optional("words", .list(of: .words(["a", "b"]))),
                .optional("inner", .component("Inner").orNull),
            ]),
        "Inner": .document("B.", [.member("flag", .flag), .optional("text", Schema(.either([.text, .count])))]),
    ]

    @Test(arguments: [
        #"{"name":"a"}"#, #"{"name":"a","count":0,"words":["a","b","a"],"inner":null}"#,
        #"{"name":"a","inner":{"flag":true,"unknown":1}}"#, #"{"name":"a","inner":{"flag":false,"text":1}}"#,
        #"{"name":"a","count":1.0}"#,
    ])
    func whatFitsIsTaken(json: String) throws {
        let value: JSONValue = try JSON.decode(from: .init(json.utf8))
        try Schema.component("Request").check(value, with: Self.components)
    }

    @Test(arguments: [
        ("[]", "it must be an object, not an array."), ("{}", "'name' is missing."),
        (#"{"name":""}"#, "'name' must not be empty."), (#"{"name":1}"#, "'name' must be text, not 1."),
        (#"{"name":null}"#, "'name' must be text, not null."),
        (#"{"name":"a","count":-1}"#, "'count' must be a whole number from 0 on, not -1."),
        (#"{"name":"a","count":0.5}"#, "'count' must be a whole number from 0 on, not 0.5."),
        (#"{"name":"a","count":1e300}"#, "'count' must be a whole number from 0 on, not 1e+300."),
        (#"{"name":"a","count":true}"#, "'count' must be a whole number from 0 on, not true."),
        (#"{"name":"a","words":["a","c"]}"#, "'words.1' must be one of 'a', 'b', not 'c'."),
        (#"{"name":"a","words":"a"}"#, "'words' must be an array, not 'a'."),
        (#"{"name":"a","inner":{}}"#, "'inner.flag' is missing."),
        (#"{"name":"a","inner":1}"#, "'inner' must be an object, not 1."),
        (#"{"name":"a","inner":{"flag":true,"text":-1}}"#, "'inner.text' must be text or a whole number from 0 on."),
        (#"{"nam":"a","name":"a"}"#, "'nam' is no member that there is; there are 'name', 'count', 'words', 'inner'."),
    ])
    func whatDoesNotIsNamed(json: String, sentence: String) throws {
        let value: JSONValue = try JSON.decode(from: .init(json.utf8))
        let fault = #expect(throws: SchemaFault.self) {
            try Schema.component("Request").check(value, with: Self.components)
        }
        #expect(fault?.sentence == sentence)
    }

    @Test func strictlyNothingUnknownIsTaken() throws {
        let value: JSONValue = ["name": "a", "inner": ["flag": true, "unknown": 1]]
        #expect(throws: SchemaFault.self) {
            try Schema.component("Request").check(value, with: Self.components, isStrict: true)
        }
    }

    @Test func itIsWrittenAsJSONSchema() {
        let text = Schema.component("Request").json
        #expect(text == ["$ref": "#/components/schemas/Request"])
        #expect(
            Self.components["Request"]?.json.asWritten == """
                {"additionalProperties":false,"description":"A.","properties":{\
                "count":{"minimum":0,"type":"integer"},\
                "inner":{"anyOf":[{"$ref":"#/components/schemas/Inner"},{"type":"null"}]},\
                "name":{"minLength":1,"type":"string"},\
                "words":{"items":{"enum":["a","b"],"type":"string"},"type":"array"}},\
                "required":["name"],"type":"object"}
                """)
        #expect(Schema.count.orNull.json == ["type": ["integer", "null"], "minimum": 0])
    }
}
