import Foundation
import StoreLibrary
import StoreModel
import StoreStickerPacks
import StoreTestSupport
import Testing

@testable import StorePublishing

/// Tests that the JSON Schema of `pack.json`, its documentation and the code agree.
@Suite struct PackSchemaTests {
    private static let resources = DocumentedErrorCodes.sources.appending(path: "Library/Library.docc")
    private static let schemaFile = resources.appending(path: "Resources/pack.schema.json")

    /// Information files, and whether they are accepted.
    private static let cases: [(text: String, isAccepted: Bool)] = [
        ("{}", true), ("[]", false), ("7", false), (#"{"unknown": [1, {}]}"#, true),
        (#"{"productIdentifier": "org.example.cups"}"#, true), (#"{"productIdentifier": ""}"#, false),
        (#"{"productIdentifier": null}"#, true), (#"{"productIdentifier": 7}"#, false),
        (#"{"productIdentifier": "a\u0007b"}"#, false), (#"{"productIdentifier": "my cups"}"#, true),
        (#"{"productIdentifier": "shop/cups"}"#, true), (#"{"productIdentifier": "a@b+c_d-\u00e4.1"}"#, true),
        (#"{"productIdentifier": "\#(String(repeating: "a", count: 1_025))"}"#, false),
        (#"{"kind": "sticker"}"#, true), (#"{"kind": "x-frame2"}"#, true), (#"{"kind": null}"#, true),
        (#"{"kind": ""}"#, false), (#"{"kind": "Bad Kind!"}"#, false), (#"{"kind": "7up"}"#, false),
        (#"{"kind": "\#(String(repeating: "a", count: 65))"}"#, false), (#"{"kind": ["sticker"]}"#, false),
        (#"{"name": "Cups"}"#, true), (#"{"name": {"en": "Cups", "de": "Tassen"}}"#, true), (#"{"name": {}}"#, true),
        (#"{"name": null}"#, true), (#"{"name": ["Cups"]}"#, false), (#"{"name": {"en": 1}}"#, false),
        (#"{"name": {"en": null}}"#, false), (#"{"name": true}"#, false),
        (#"{"version": "1.0.0-beta+7"}"#, true), (#"{"version": "2"}"#, true), (#"{"version": "new"}"#, false),
        (#"{"version": 1}"#, false), (#"{"version": "1\#(String(repeating: "a", count: 256))"}"#, false),
        (#"{"price": "1.99 EUR"}"#, true), (#"{"price": "€ 1,99"}"#, true), (#"{"price": "1000.50 CHF"}"#, true),
        (#"{"price": "free"}"#, true), (#"{"price": ""}"#, true), (#"{"price": "0.00 EUR"}"#, true),
        (#"{"price": 0}"#, true), (#"{"price": 2.5}"#, true), (#"{"price": 100}"#, true), (#"{"price": null}"#, true),
        (#"{"price": -5}"#, false), (#"{"price": 1e300}"#, false), (#"{"price": true}"#, false),
        (#"{"price": "cheap"}"#, false), (#"{"price": "-5 EUR"}"#, false), (#"{"price": "5 EUR EUR"}"#, false),
        (#"{"price": "1'000.50 CHF"}"#, false), (#"{"price": "1.999.00 EUR"}"#, false),
        (#"{"price": "1,000.00 JPY"}"#, false), (#"{"price": "1 000 SEK"}"#, false), (#"{"price": "1.99"}"#, true),
        (#"{"price": "1..5"}"#, false), (#"{"price": {"EUR": 5}}"#, false),
        (#"{"price": "1\#(String(repeating: "0", count: 256))"}"#, false),
        (#"{"description": {"en": "Cups"}}"#, true), (#"{"description": 7}"#, false),
        (#"{"changes": "New: a cup"}"#, true), (#"{"changes": {"en": "New", "de": "Neu"}}"#, true),
        (#"{"changes": ["New"]}"#, false),
        (#"{"publisher": "Example", "license": "CC-BY-4.0"}"#, true), (#"{"publisher": {"en": "Example"}}"#, false),
        (#"{"license": ["MIT"]}"#, false), (#"{"website": "https://example.org/"}"#, true), (#"{"website": 7}"#, false),
        (#"{"authors": ["A"], "locales": ["en"], "categories": [], "tags": null}"#, true),
        (#"{"authors": "A"}"#, false),
        (#"{"locales": [1]}"#, false), (#"{"categories": [null]}"#, false), (#"{"tags": {"a": "b"}}"#, false),
        (#"{"tags": [\#(list(1_000))]}"#, true), (#"{"tags": [\#(list(1_001))]}"#, false),
        (#"{"dependencies": ["org.example.base"]}"#, true), (#"{"dependencies": [""]}"#, false),
        (#"{"dependencies": "org.example.base"}"#, false), (#"{"dependencies": ["a\u0000"]}"#, false),
        (#"{"permissions": ["Any thing"]}"#, true), (#"{"permissions": "network"}"#, false),
        (#"{"kind": "plugin", "permissions": ["messages.read", "x-9"]}"#, true),
        (#"{"kind": "plugin", "permissions": ["Network"]}"#, false),
        (#"{"kind": "plugin", "permissions": [""]}"#, false),
        (#"{"kind": "plugin", "permissions": [\#(list(32))]}"#, true),
        (#"{"kind": "plugin", "permissions": [\#(list(33))]}"#, false),
        (#"{"cover": "01.png", "sprite": "02.PNG", "previews": ["01.png"]}"#, true), (#"{"cover": 1}"#, false),
        (#"{"sprite": "a.txt"}"#, false), (#"{"sprite": ""}"#, false), (#"{"previews": ["a.txt"]}"#, false),
        (#"{"previews": "01.png"}"#, false),
        (#"{"stickers": []}"#, true), (#"{"stickers": null}"#, true), (#"{"stickers": {}}"#, false),
        (#"{"stickers": ["01.png"]}"#, false), (#"{"stickers": [{}]}"#, false),
        (#"{"stickers": [{"file": null}]}"#, false), (#"{"stickers": [{"file": ""}]}"#, false),
        (#"{"stickers": [{"file": "/etc/passwd"}]}"#, false), (#"{"stickers": [{"file": "01.png"}]}"#, true),
        (
            #"{"stickers": [{"file": "01.png", "id": "a", "emoji": ["😂"], "keywords": ["b"], "description": "c", "x": 1}]}"#,
            true
        ),
        (
            #"{"stickers": [{"file": "01.png", "id": null, "emoji": null, "keywords": null, "description": null}]}"#,
            true
        ),
        (#"{"stickers": [{"file": "01.png", "id": 1}]}"#, false),
        (#"{"stickers": [{"file": "01.png", "emoji": "😂"}]}"#, false),
        (#"{"stickers": [{"file": "01.png", "emoji": [1]}]}"#, false),
        (#"{"stickers": [{"file": "01.png", "keywords": {"en": "a"}}]}"#, false),
        (#"{"stickers": [{"file": "01.png", "description": 7}]}"#, false),
        (#"{"kind": "plugin", "stickers": 7}"#, true),
    ]

    private static func list(_ count: Int) -> String { Array(repeating: "\"a\"", count: count).joined(separator: ",") }

    private func isAccepted(_ information: String, in workshop: Workshop) throws -> Bool {
        let picture = ContentMistake.picture
        let pack = try workshop.pack(
            "pack",
            data: [
                "pack.json": Data(information.utf8), "01.png": picture, "02.PNG": picture, "a.txt": Data("a".utf8),
                "cover.png": picture, "sprite.png": picture, "preview.png": picture,
            ])
        let outcome = try workshop.store(kinds: ContentMistake.kinds).add([pack], time: workshop.time)[0]
        if case .success = outcome.result { return true }
        return false
    }

    @Test func `the code accepts and rejects each information file as listed`() throws {
        for (text, isAccepted) in Self.cases {
            #expect(try self.isAccepted(text, in: Workshop()) == isAccepted, "\(text.prefix(100))")
        }
    }

    @Test(.needs("/usr/lib/python3/dist-packages/jsonschema/__init__.py", debian: "python3-jsonschema"))
    func `the schema accepts and rejects each information file as listed`() async throws {
        let folder = try TemporaryFolder()
        try folder.directory.put("cases.json", JSON.encode(Self.cases.map(\.text)))
        let script = """
            import json, sys, jsonschema
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft202012Validator.check_schema(schema)
            validator = jsonschema.Draft202012Validator(schema)
            print("".join("+" if validator.is_valid(json.loads(text)) else "-" for text in json.load(open(sys.argv[2]))))
            """
        let output = folder.path + "/output"
        let process = try ChildProcess(
            "/usr/bin/python3", ["-W", "ignore", "-c", script, Self.schemaFile.path, folder.path + "/cases.json"],
            environment: [:], input: "/dev/null", output: output, errors: folder.path + "/errors")
        _ = await process.result()
        let verdicts = Array(try folder.directory.text("output").filter { $0 != "\n" })
        let errors = try folder.directory.text("errors")
        try #require(verdicts.count == Self.cases.count, "\(errors)")
        for (verdict, (text, isAccepted)) in zip(verdicts, Self.cases) {
            #expect((verdict == "+") == isAccepted, "\(text.prefix(100))")
        }
    }

    // MARK: Members

    private func schema() throws -> [String: JSONValue] {
        try object(JSON.decode(JSONValue.self, from: Data(contentsOf: Self.schemaFile)))
    }

    private func object(_ value: JSONValue?) throws -> [String: JSONValue] {
        guard case .object(let members) = value else {
            Issue.record("\(String(describing: value)) is not an object")
            return [:]
        }
        return members
    }

    /// Returns the members in the schema by name, each with its first example.
    private func examples(_ properties: JSONValue?) throws -> [String: JSONValue] {
        try object(properties).mapValues { property in
            guard case .array(let examples)? = try object(property)["examples"], let first = examples.first else {
                Issue.record("there is no example in \(property)")
                return .null
            }
            return first
        }
    }

    private func examples(_ members: [InformationMember]) throws -> [String: JSONValue] {
        try Dictionary(
            uniqueKeysWithValues: members.map { member in
                (member.name, try JSON.decode(JSONValue.self, from: Data(member.example.utf8)))
            })
    }

    @Test func `the schema has the members that are read, with the examples of the messages`() throws {
        let schema = try schema()
        let members = PublishedInformation.members + StickerPackReader.members
        #expect(try examples(schema["properties"]) == examples(members))
        let sticker = try object(object(schema["$defs"])["sticker"])
        #expect(try examples(sticker["properties"]) == examples(StickerPackReader.members[0].elementMembers))
    }

    /// The members that a type decodes are its stored properties.
    @Test(arguments: [
        ("Publishing/State/PackDescription.swift", "struct PublishedInformation: Decodable {", "static let members"),
        ("Library/Content/PackInformation.swift", "public struct PackInformation:", "public init() {}"),
        ("StickerPacks/StickerPackReader.swift", "struct Entry: Decodable {", "var sticker: Sticker {"),
    ])
    func `every member that is decoded has a form for messages`(file: String, start: String, end: String) throws {
        let text = try String(contentsOf: DocumentedErrorCodes.sources.appending(path: file), encoding: .utf8)
        let from = try #require(text.range(of: start)).upperBound
        let to = try #require(text.range(of: end, range: from..<text.endIndex)).lowerBound
        let decoded = text[from..<to].matches(of: #/\n *(?:public )?(?:var|let) (\w+): /#).map { String($0.1) }
        let described =
            file.hasPrefix("Publishing")
            ? PublishedInformation.members
            : file.hasPrefix("Library") ? PackInformation.members : StickerPackReader.members[0].elementMembers
        #expect(!decoded.isEmpty && decoded.sorted() == described.map(\.name).sorted())
    }

    @Test func `the documentation has a row for each member`() throws {
        func rows(_ page: String) throws -> [String] {
            let text = try String(contentsOf: DocumentedErrorCodes.sources.appending(path: page), encoding: .utf8)
            let table = try #require(text.components(separatedBy: "\n| member |").dropFirst().first)
            return table.split(separator: "\n").dropFirst(2).prefix { $0.hasPrefix("| `") }
                .map { String($0.dropFirst(3).prefix { $0 != "`" }) }
        }
        #expect(
            try rows("Library/Library.docc/InformationFile.md").sorted() == PackInformation.members.map(\.name).sorted()
        )
        #expect(
            try rows("Publishing/Publishing.docc/PublishedInformation.md").sorted()
                == PublishedInformation.members.map(\.name).sorted())
        #expect(
            try rows("Stickers/Stickers.docc/StickerList.md").sorted()
                == StickerPackReader.members[0].elementMembers.map(\.name).sorted())
    }

    @Test func `the samples in the documentation are accepted`() throws {
        var samples = 0
        for page in [
            "Library/Library.docc/InformationFile.md", "Publishing/Publishing.docc/PublishedInformation.md",
            "Stickers/Stickers.docc/StickerList.md", "Plugins/Plugins.docc/Plugins.md",
        ] {
            let text = try String(contentsOf: DocumentedErrorCodes.sources.appending(path: page), encoding: .utf8)
            for block in text.components(separatedBy: "```json\n").dropFirst() {
                let sample = try #require(block.components(separatedBy: "\n```").first)
                #expect(try isAccepted(sample, in: Workshop()), "\(page)")
                samples += 1
            }
        }
        #expect(samples >= 4)
    }
}
