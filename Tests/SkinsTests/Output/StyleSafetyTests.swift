import StoreTestSupport
import Testing

@testable import StoreSkins

@Suite struct StyleSafetyTests {
    /// Fragments with a special meaning in style sheets, pages or parsers.
    private static let pieces = [
        "\"", "'", "\\", "\\\"", "}", "{", ";", ":", "]", "[", ")", "(", "*/", "/*", "</style>", "<!--", "-->",
        "@import",
        "url(", "expression(", "!important", "\n", "\r", "\t", "\u{85}", "\u{2028}", "é", "日本", "😀", "\u{FFFD}", "a",
        "1",
        "-", "--", "_", " ", ".", "#", ",", "\u{0301}", "var(--x)", "\\31 ", "attr(x)", "u+0-10", "x y", ":root",
    ]

    private func hostile(_ random: inout SeededGenerator) -> String {
        (0...Int.random(in: 0..<5, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    private struct Case {
        let skin: ResolvedSkin
        /// The original texts by identifier.
        let texts: [String: String]
    }

    /// Returns a random skin with a text, a font and an image.
    private func skin(_ random: inout SeededGenerator) throws -> Case {
        var texts: [String: String] = [:]
        for _ in 0..<60 { texts[hostile(&random)] = hostile(&random) }
        texts = texts.filter { !$0.key.isEmpty }
        let parts = texts.map { identifier, text in
            SkinForge.Part(
                identifier, "uilabel", ("textAlignment", "value", "string", SkinForge.escaped("\"" + text + "\"")),
                ("font", "font", "font", SkinForge.escaped("x" + text.filter { $0 != ";" } + "y") + "; 14"),
                SkinForge.color("textColor", "#ffffff"))
        }
        return Case(skin: try SkinForge.read(parts).skin, texts: texts)
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `a web style sheet keeps untrusted names and texts as data`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let made = try skin(&random)
        let identifiers = made.skin.identifiers
        try #require(identifiers.count > 20, "seed \(seed)")
        let sheet = WebStyleSheet(made.skin, address: AssetAddress.below("/skins"))
        let read = try await StyleReaders.read(sheet.text)
        #expect(read.errors == [], "seed \(seed)")
        #expect(Set(read.selectors) == Set(identifiers), "seed \(seed)")
        #expect(Set(read.properties.keys) == Set(sheet.properties.map(\.name)), "seed \(seed)")
        for identifier in identifiers {
            let alignment = read.properties[WebStyleSheet.property(identifier, "textAlignment")]
            #expect(alignment?.map { $0[0] } == ["string"], "seed \(seed): \(identifier.debugDescription)")
            let font = read.properties[WebStyleSheet.property(identifier, "font")]
            #expect(font?.map { $0[0] } == ["number", "dimension", "string"], "seed \(seed)")
            if let text = made.skin[identifier]?["textAlignment"]?["value"]?.text {
                #expect(alignment?.first?[1] == text, "seed \(seed): \(identifier.debugDescription)")
            }
        }
        // The style sheet is also safe in a `style` element.
        #expect(!sheet.text.lowercased().contains("</style") && !sheet.text.contains("<!--"))
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `a GTK style sheet keeps untrusted names and texts as data`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: 1000 + seed)
        let made = try skin(&random)
        let read = try await StyleReaders.read(GTKStyleSheet(made.skin, address: AssetAddress.below("/skins")).text)
        #expect(read.errors == [], "seed \(seed)")
        #expect(Set(read.selectors) == Set(made.skin.identifiers), "seed \(seed)")
    }

    @Test func `any URL is escaped in a style sheet`() async throws {
        let skin = try SkinForge.read(
            [.init("a", "uiimageview", ("image", "image", "image", "x.png"))], assets: ["x.png"]
        ).skin
        for address in ["a\"); } body { display: none } /*", "a\nb", "a\\", "</style><script>"] {
            let sheet = WebStyleSheet(skin) { _ in address }
            let read = try await StyleReaders.read(sheet.text)
            #expect(read.errors == [] && Set(read.properties.keys) == ["--a-image"], "\(address)")
            #expect(Set(read.selectors) == ["a"], "\(address)")
        }
    }

    @Test(arguments: ["", "a", "part_1", "-", "ä", "a b", "\u{0}", "1", "\u{1F642}x"])
    func `the size of an escaped identifier is known without escaping it`(text: String) {
        #expect(StyleText.identifierPartSize(text) == StyleText.identifierPart(text).utf8.count)
    }

    @Test func `identifiers are serialized as in CSS`() {
        let cases = [
            ("button_ok", "button_ok"), ("1st", "\\31 st"), ("-1", "-\\31 "), ("-", "\\-"), ("--x", "--x"),
            ("é", "\\e9 "),
            ("a b", "a\\20 b"), ("a.b#c", "a\\2e b\\23 c"), ("\0", "\\fffd "),
        ]
        for (text, identifier) in cases { #expect(StyleText.identifier(text) == identifier) }
    }
}

@Suite struct GTKReaderTests {
    @Test(
        .enabled("there is no GTK 3 for Python (Debian: python3-gi gir1.2-gtk-3.0)") {
            await StyleReaders.hasGTK("3.0")
        })
    func `GTK 3 parses the style sheet of any skin`() async throws { try await check("3.0") }

    @Test(
        .enabled("there is no GTK 4 for Python (Debian: python3-gi gir1.2-gtk-4.0)") {
            await StyleReaders.hasGTK("4.0")
        })
    func `GTK 4 parses the style sheet of any skin`() async throws { try await check("4.0") }

    private func check(_ version: String) async throws {
        for name in PreinstalledSkins.names {
            let skin = try PreinstalledSkins.read(name)
            let sheet = GTKStyleSheet(skin) { "file://" + (skin.path(of: $0) ?? "") }
            #expect(try await StyleReaders.errorsOfGTK(version, sheet.text) == [], "\(name)")
        }
        let hostile = try SkinForge.read(
            ["1 st", "-", "a\"}b", "é", "日本", "x y\\", "#.:>", "/*", "😀"].map {
                SkinForge.Part($0, "uilabel", ("font", "font", "font", SkinForge.escaped("\"" + $0) + "; 14"))
            }
        ).skin
        let sheet = GTKStyleSheet(hostile, address: AssetAddress.below("/skins"))
        #expect(try await StyleReaders.errorsOfGTK(version, sheet.text) == [])
        // The parser does report errors.
        #expect(try await StyleReaders.errorsOfGTK(version, "#a { colour: red; }") != [])
    }
}
