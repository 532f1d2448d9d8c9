import Foundation
import StoreModel
import StorePublishing
import StoreSystem
import Testing

/// Validates documents with Debian's python3-jsonschema, which implements draft 2020-12.
private enum Validator {
    static let python = "/usr/bin/python3"
    static let isThere = (try? run("import jsonschema; jsonschema.Draft202012Validator", [])) == ""

    static let schema = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Catalogue/Catalogue.docc/Resources/catalogue-2.schema.json")
        .standardizedFileURL.path

    /// A script that prints each violation on a line.
    static let script = """
        import json, sys, jsonschema
        schema = json.load(open(sys.argv[1]))
        jsonschema.Draft202012Validator.check_schema(schema)
        for argument in sys.argv[2:]:
            definition, path = argument.split("=", 1)
            part = dict(schema)
            part.pop("oneOf")
            part["$ref"] = "#/$defs/" + definition
            for checked in (part, schema):
                for error in jsonschema.Draft202012Validator(checked).iter_errors(json.load(open(path))):
                    print(path, error.message)
        """

    static func run(_ script: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = ["-W", "ignore", "-c", script] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}

@Suite(.enabled(if: Validator.isThere, "there is no module jsonschema (Debian: python3-jsonschema)"))
struct SchemaTests {
    @Test
    func `every document of a published store satisfies the schema`() throws {
        let workshop = try Workshop()
        try workshop.add(workshop.pack("cups", StorehouseTests.cups))
        try workshop.add(
            workshop.pack(
                "full",
                [
                    "pack.json":
                        #"{"sprite":"s.png","previews":["1.png","s.png"],"authors":["A"],"locales":["en"],"changes":{"en":"New"}}"#,
                    "s.png": "s", "1.png": "1", "deep/er/text.txt": String(repeating: "text ", count: 100),
                ]), AddOptions(price: Price("1 EUR")))
        try workshop.add(workshop.pack("gone", ["a.png": "x"]))
        try workshop.store().withdraw("gone")
        _ = try workshop.store().publish()
        let definitions = [
            "catalogue.json": "index", "catalogue": "shard", "details": "details", "tables": "entryTable",
        ]
        let documents = try workshop.published().keys.filter { $0.hasSuffix(".json") }.map { path in
            "\(definitions[String(path.prefix { $0 != "/" })]!)=\(workshop.publicPath)/\(path)"
        }
        #expect(documents.count == 1 + 1 + 2 + 2)
        #expect(try Validator.run(Validator.script, [Validator.schema] + documents) == "")
    }

    private static let product = #""productName":"A","productType":"sticker","version":"1""#
    private static let entry =
        #""path":"a","offset":0,"compressedSize":0,"size":0,"sha256":"\#(String(repeating: "0", count: 64))""#

    @Test
    func `the invalid documents satisfy the schema without their faults`() throws {
        let workshop = try Workshop()
        let documents = try workshop.pack(
            "documents",
            [
                "shard": #"{"format":2,"products":[{\#(Self.product),"productIdentifier":"a","withdrawn":true}]}"#,
                "entryTable": #"{"format":1,"entries":[{\#(Self.entry),"method":"stored"}]}"#,
            ])
        let arguments = ["shard", "entryTable"].map { "\($0)=\(documents)/\($0)" }
        #expect(try Validator.run(Validator.script, [Validator.schema] + arguments) == "")
    }

    @Test(arguments: [
        ("index", #"{"format":2,"products":1}"#),
        ("index", #"{"format":2,"products":1,"shards":[{"url":"a","size":1,"sha256":"00","products":1}]}"#),
        ("shard", #"{"format":2,"products":[{\#(product),"productIdentifier":"a"}]}"#),
        ("shard", #"{"format":2,"products":[{\#(product),"productIdentifier":"","withdrawn":true}]}"#),
        ("shard", #"{"format":2,"products":[{\#(product),"productIdentifier":"a","withdrawn":1}]}"#),
        ("details", #"{"format":2,"productIdentifier":"a","productDetailsInfo":7}"#),
        ("details", #"{"format":2,"productIdentifier":"a","productDetailsInfo":"a","changes":7}"#),
        ("entryTable", #"{"format":1,"entries":[{\#(entry),"method":"lzma"}]}"#),
    ])
    func `an invalid document does not satisfy the schema`(definition: String, text: String) throws {
        let workshop = try Workshop()
        let folder = try workshop.pack("documents", ["a.json": text])
        #expect(try Validator.run(Validator.script, [Validator.schema, "\(definition)=\(folder)/a.json"]) != "")
    }
}
