import FoundationEssentials
import StoreLibrary
import StoreModel
import StorePublishing
import StoreSkins
import StoreSystem
import Testing

/// Tests that mistakes of a publisher are refused, and changes are reported.
@Suite struct PublisherMistakesTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func code(_ body: () throws -> some Any) -> ErrorCode? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? any CodedError)?.code
        }
    }

    @Test(arguments: [
        "abc", "-5 EUR", "5 EUR EUR", "EUR", "5 EUR or more", "1..5 EUR", "5-", "<b>1</b>", "1\u{1B}[2J",
        "1.999.00 EUR",
        "1,000.00 JPY", "1'000 CHF", "1 000 SEK", "-5", ".5 EUR", "5. EUR",
    ])
    func `a text that is no amount of money is no price`(text: String) throws {
        let pack = try workshop.pack("cups", ["a.png": "x"])
        #expect(code { try workshop.add(pack, AddOptions(price: Price(text))) } == .badPrice)
        try workshop.add(pack)
        #expect(code { try workshop.store().setPrice(Price(text), of: "cups") } == .badPrice)
        #expect(try workshop.store().products()[0].price.isFree)
    }

    @Test(arguments: ["1.99 EUR", "€1.99", "1,99 €", "US$ 5", "1000.00 JPY", "12 kr", "5", "free", "0"])
    func `amounts with and without a currency are prices`(text: String) throws {
        try workshop.add(workshop.pack("cups", ["a.png": "x"]), AddOptions(price: Price(text)))
        #expect(try workshop.store().products()[0].price == Price(text))
    }

    @Test(arguments: [
        ("1.99", true), ("5", true), (" 1,99 ", true), ("1.99 EUR", false), ("$5", false), ("free", false),
    ])
    func `an amount without a currency is recognized`(text: String, lacksCurrency: Bool) {
        #expect(Price(text).lacksCurrency == lacksCurrency)
    }

    @Test func `the price of an added product is reported only where it was given`() throws {
        let pack = try workshop.pack("cups", ["a.png": "x"])
        #expect(try workshop.add(pack, AddOptions(price: Price("2"))).price == Price("2"))
        #expect(try workshop.add(pack).price == nil)
    }

    @Test func `a description that is too long for clients is refused, and the product stays as it was`() throws {
        func pack(_ count: Int) throws -> String {
            let text = String(repeating: "x", count: count)
            return try workshop.pack("cups", ["a.png": "x", "pack.json": #"{"description": "\#(text)"}"#])
        }
        try workshop.add(pack(1 << 19))
        #expect(code { try workshop.add(pack(1 << 20)) } == .badInformation)
        try workshop.add(pack(1 << 19))
        #expect(try workshop.store().products().count == 1)
    }

    @Test func `an empty identifier is refused`() throws {
        let pack = try workshop.pack("cups", ["a.png": "x"])
        #expect(code { try workshop.add(pack, AddOptions(productIdentifier: "")) } == .badIdentifier)
        let other = try workshop.pack("mugs", ["a.png": "x", "pack.json": #"{"productIdentifier": ""}"#])
        #expect(code { try workshop.add(other) } == .badIdentifier)
        #expect(try workshop.store().products().isEmpty)
    }

    @Test(arguments: ["org.example.cups", "a@b", "c++", "..%2Fx", "Чашки", "a_b-c~d", "杯子", "my cups", "a/b"])
    func `other characters may be in an identifier`(identifier: String) throws {
        let pack = try workshop.pack("cups", ["a.png": "x"])
        #expect(try workshop.add(pack, AddOptions(productIdentifier: identifier)).productIdentifier == identifier)
    }

    @Test func `unknown members of pack.json are reported with their lines, also where the pack is refused`() throws {
        let information = """
            {
              "$schema": "pack.schema.json", "productIdentifier": "cups", "price": "1 EUR",
              "verison": "1.1.0",
              "stickers": [
                {"file": "a.png", "emojis": ["😂"]},
                {"file": "b.png", "emojis": ["🍵"], "id": "b"}
              ],
              "maker": {"tool": 1}
            }
            """
        let picture = ContentMistake.picture
        let files = ["a.png": picture, "b.png": picture, "pack.json": Data(information.utf8)]
        let store = try workshop.store(kinds: ContentMistake.kinds)
        func outcome() throws -> Storehouse.Outcome {
            try store.add([workshop.pack("cups", data: files)], time: workshop.time)[0]
        }
        let unknown = try outcome().unknownMembers
        #expect(unknown.map(\.name) == ["verison", "emojis", "maker"])
        #expect(unknown.map(\.line) == [3, 5, 8])
        #expect(unknown[0].known.contains("version") && unknown[0].known.contains("stickers"))
        #expect(unknown[1].known.sorted() == ["description", "emoji", "file", "id", "keywords"])
        let refused = try store.add(
            [workshop.pack("cups", data: files.merging(["a.png": Data("x".utf8)]) { $1 })], time: workshop.time)[0]
        #expect(refused.unknownMembers == unknown)
        #expect(throws: ErrorReport.self) { try refused.result.get() }
    }

    @Test func `of very many unknown members, the first are reported`() throws {
        let members = (10_000..<60_000).map { #""m\#($0)": 1"# }.joined(separator: ",")
        let pack = try workshop.pack("cups", ["a.png": "x", "pack.json": "{\(members)}"])
        let outcome = try workshop.store().add([pack], time: workshop.time)[0]
        #expect(outcome.unknownMembers.map(\.name) == (10_000..<10_020).map { "m\($0)" })
    }

    @Test func `a kind that clients don't know is reported`() throws {
        let store = try workshop.store(kinds: ContentMistake.kinds)
        func isKnown(_ kind: String) throws -> Bool {
            let pack = try workshop.pack(kind, data: ["01.png": ContentMistake.picture])
            let options = AddOptions(kind: ProductKind(rawValue: kind))
            return try store.add([pack], options: options, time: workshop.time)[0].result.get().isKnownKind
        }
        #expect(try isKnown("sticker") && isKnown("plugin"))
        #expect(try !isKnown("stickers"))
    }

    @Test func `withdrawn products are not counted as published, and are withdrawn once`() throws {
        for name in ["cups", "mugs"] { try workshop.add(workshop.pack(name, ["a.png": "x"])) }
        #expect(try workshop.store().withdraw("cups"))
        #expect(try !workshop.store().withdraw("cups"))
        let published = try workshop.store().publish()
        #expect(published.products == 1 && published.withdrawn == 1)
        #expect(code { try workshop.store().withdraw("cans") } == .noProduct)
    }

    @Test func `the price in pack.json is published, and an option takes precedence`() throws {
        let paid = try workshop.pack("cups", ["a.png": "x", "pack.json": #"{"price": "2 EUR"}"#])
        try workshop.add(paid)
        #expect(try workshop.store().products()[0].price == Price("2 EUR"))
        try workshop.add(paid, AddOptions(price: Price("3 EUR")))
        #expect(try workshop.store().products()[0].price == Price("3 EUR"))
        let wrong = try workshop.pack("mugs", ["a.png": "x", "pack.json": #"{"price": "cheap"}"#])
        #expect(code { try workshop.add(wrong) } == .badPrice)
    }

    @Test(arguments: ["٣", "१.२", "½", "beta", ""])
    func `a version without a digit from 0 to 9 is refused`(version: String) throws {
        let pack = try workshop.pack("cups", ["a.png": "x"])
        #expect(code { try workshop.add(pack, AddOptions(version: Version(version))) } == .badIdentifier)
    }

    @Test(arguments: ["Bad Kind!", "", "a/b", "-a", "ä"])
    func `a kind is one word`(kind: String) throws {
        let pack = try workshop.pack("cups", ["a.png": "x"])
        #expect(code { try workshop.add(pack, AddOptions(kind: ProductKind(rawValue: kind))) } == .badIdentifier)
    }

    @Test func `a message about a value names the option, the file or the directory that it is from`() throws {
        func message(_ options: AddOptions, _ information: String = "{}") throws -> String? {
            let pack = try workshop.pack("cups", ["a.png": "x", "pack.json": information])
            let error = #expect(throws: ErrorReport.self) { try workshop.add(pack, options) }
            return error?.message
        }
        let bad = ProductKind(rawValue: "Bad Kind!")
        #expect(try message(AddOptions(kind: bad)) == "--kind: invalid kind 'Bad Kind!'")
        #expect(try message(AddOptions(), #"{"kind": "Bad Kind!"}"#) == "pack.json: invalid kind 'Bad Kind!'")
        #expect(
            try message(AddOptions(version: Version("x")), #"{"version": "1"}"#) == "--version: invalid version 'x'")
        #expect(try message(AddOptions(price: Price("abc"))) == "--price: invalid price 'abc'")
        #expect(try message(AddOptions(productIdentifier: "a\u{7}")) == "--id: its identifier holds control characters")
        let setting = #expect(throws: StoreError.self) {
            try workshop.add(workshop.pack("mugs", ["a.png": "y"]))
            try workshop.store().setPrice(Price("abc"), of: "mugs")
        }
        #expect(setting?.message == "invalid price 'abc' of 'mugs'")
    }

    @Test func `adding a version again reports what it changes`() throws {
        let pack = try workshop.pack("cups", ["a.png": "x"])
        #expect(try workshop.add(pack).differences == [])
        try workshop.store().withdraw("cups")
        let options = AddOptions(kind: ProductKind(rawValue: "frame"), name: "Cups", price: Price("1 EUR"))
        let again = try workshop.add(pack, options)
        #expect(again.change == .unchanged)
        #expect(
            again.differences == [
                .kind(from: .sticker, to: ProductKind(rawValue: "frame")), .price(from: .free, to: Price("1 EUR")),
                .offeredAgain, .description,
            ])
        #expect(try workshop.add(pack, options).differences == [])
    }

    @Test func `a product is not listed as published while a change of it is not`() throws {
        func listed() throws -> Storehouse.Listed { try workshop.store().products()[0] }
        let pack = try workshop.pack("cups", ["a.png": "x"])
        try workshop.add(pack)
        #expect(try listed().hasUnpublishedChanges)
        _ = try workshop.store().publish()
        #expect(try !listed().hasUnpublishedChanges && listed().publishedVersion?.text == "1.0.0")
        let changes: [() throws -> Void] = [
            { try workshop.store().setPrice(Price("1 EUR"), of: "cups") },
            { try workshop.add(pack, AddOptions(name: "Cups")) },
            { try workshop.store().withdraw("cups") },
        ]
        for change in changes {
            try change()
            #expect(try listed().hasUnpublishedChanges)
            _ = try workshop.store().publish()
            #expect(try !listed().hasUnpublishedChanges)
        }
    }

    @Test func `a skin with an invalid colour is refused with file and line`() throws {
        func skin(_ color: String) throws -> String {
            try workshop.pack(
                "night",
                [
                    "skin.xml": #"<skin identifier="night" name="Night" version="1" parent="dusk"/>"#,
                    "header.xml": """
                    <theme><instances><uiview id="header"><operation name="backgroundColor">
                    <param name="color" type="color" format="HEX">\(color)</param></operation></uiview></instances></theme>
                    """,
                ])
        }
        let store = try workshop.store(kinds: ContentKinds([SkinKind()]))
        let refused = try store.add([skin("purpel")], time: workshop.time)[0].result
        let error = #expect(throws: ErrorReport.self) { try refused.get() }
        #expect(error?.code == .skinBadValue)
        #expect(error?.message.contains("header.xml:2") == true && error?.message.contains("'purpel'") == true)
        // The parent is not in the store either.
        let added = try store.add([skin("#010203")], time: workshop.time)[0].result.get()
        #expect(added.missingDependencies == ["dusk"])
    }

    @Test func `the parent of a skin counts among its dependencies, of which there is a limit`() throws {
        let store = try workshop.store(kinds: ContentKinds([SkinKind()]))
        func add(_ count: Int) throws -> Storehouse.Added {
            let dependencies = (0..<count).map { #""d\#($0)""# }.joined(separator: ",")
            let pack = try workshop.pack(
                "night",
                [
                    "skin.xml": #"<skin identifier="night" name="Night" version="1" parent="dusk"/>"#,
                    "pack.json": #"{"dependencies": [\#(dependencies)]}"#,
                ])
            return try store.add([pack], time: workshop.time)[0].result.get()
        }
        #expect(code { try add(1_000) } == .badInformation)
        #expect(try add(999).missingDependencies.count == 1_000)
    }

    @Test(arguments: ["name", "description", "changes"])
    func `a text in more languages than clients read is refused`(member: String) throws {
        func pack(_ count: Int) throws -> String {
            let texts = (0..<count).map { #""l\#($0)": "x""# }.joined(separator: ",")
            return try workshop.pack("cups", ["a.png": "x", "pack.json": #"{"\#(member)": {\#(texts)}}"#])
        }
        #expect(code { try workshop.add(pack(201)) } == .badInformation)
        try workshop.add(pack(200))
    }

    /// The version of `skin.xml`, what else states the version of the product, and whether that is another one.
    @Test(
        arguments: [
            (nil, nil, "2.0.0", false), ("2.0.0", nil, nil, false), ("2.0.0", "2.0.0", nil, false),
            ("2.0", nil, "2.0.0", false), ("1.0.0", nil, "2.0.0", true), ("1.0.0", "2.0.0", nil, true),
        ] as [(String?, String?, String?, Bool)])
    func `a publisher is warned of a skin.xml with another version than the product`(
        own: String?, manifest: String?, option: String?, isWarned: Bool
    ) throws {
        var files = ["skin.xml": #"<skin identifier="night"\#(own.map { " version=\"\($0)\"" } ?? "")/>"#]
        files["pack.json"] = manifest.map { #"{"version": "\#($0)"}"# }
        let store = try workshop.store(kinds: ContentKinds([SkinKind()]))
        let options = AddOptions(version: option.map { Version($0) })
        let added = try store.add([workshop.pack("night", files)], options: options, time: workshop.time)[0].result
            .get()
        #expect(added.version.text == "2.0.0")
        let warning =
            "skin.xml states version \(own ?? ""), but the product has version 2.0.0, and clients show both: "
            + "state the same version in skin.xml"
        #expect(added.warnings == (isWarned ? [warning] : []))
    }

    @Test func `a dependency that is added by the same call is not missing`() throws {
        let folders = [
            try workshop.pack("cups", ["a.png": "x", "pack.json": #"{"dependencies": ["base", "other"]}"#]),
            try workshop.pack("base", ["a.png": "y"]),
        ]
        let outcomes = try workshop.store().add(folders, time: workshop.time)
        #expect(try outcomes[0].result.get().missingDependencies == ["other"])
        try workshop.store().withdraw("base")
        #expect(try workshop.add(folders[0]).missingDependencies == ["base", "other"])
    }
}
