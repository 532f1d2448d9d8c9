import StoreModel
import StoreOpenAPI
import Testing

@Suite struct SchemaJSONTests {
    @Test func `a document renders as JSON Schema`() {
        #expect(
            SampleRequest.schema.json.asWritten == """
                {"additionalProperties":false,"description":"A.","properties":{\
                "count":{"maximum":9223372036854775807,"minimum":0,"type":"integer"},\
                "inner":{"anyOf":[{"$ref":"#/components/schemas/Inner"},{"type":"null"}]},\
                "name":{"minLength":1,"type":"string"},\
                "words":{"items":{"enum":["a","b"],"type":"string"},"type":"array"}},\
                "required":["name"],"type":"object"}
                """)
    }

    @Test func `a reference renders as a path of the components`() {
        #expect(Schema.reference(to: SampleRequest.self).json == ["$ref": "#/components/schemas/Request"])
        #expect(SampleRequest.schema.references == [SchemaReference(SampleDocument.self)])
    }

    @Test func `null is a second type`() {
        #expect(Schema.count.nullable.json == ["type": ["integer", "null"], "minimum": 0, "maximum": .integer(.max)])
        let words = Schema.enumeration(["a"]).nullable
        #expect(words.json == ["anyOf": [["type": "string", "enum": ["a"]], ["type": "null"]]])
    }

    @Test func `a description replaces the one of the shared schema`() {
        let schema = Schema.count.described(as: "A.")
        #expect(schema.described(as: nil).json["description"] == "A.")
        #expect(schema.described(as: "B.").json["description"] == "B.")
    }
}

extension JSONValue {
    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }
}
