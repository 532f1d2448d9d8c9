import StoreModel
import StoreSkins
import Testing

@Suite struct WarningTests {
    @Test func `each warning has file and line`() throws {
        let shelf = try SkinShelf()
        // The root element is on line 1.
        try shelf.put(
            "s",
            [
                "a.xml": """
                <constants>
                <constant name="bad" type="color">red</constant>
                <constant name="odd" type="colour">#000000</constant>
                <constant name="good" type="float">1</constant>
                <constant name="loop" type="color" ref="pool"/>
                <constant name="pool" type="color" ref="loop"/>
                </constants>
                <instances>
                <uiclock id="clock"/>
                <uilabel id="x" class="nothing">
                <operation name="shine"><param name="color" type="color">#000000</param></operation>
                <operation name="textColor"><param name="colour" type="color">#000000</param></operation>
                <operation name="borderColor"><param name="color" type="color" ref="nowhere"/></operation>
                <operation name="borderWidth"><param name="width" type="length">1</param></operation>
                <operation name="cornerRadius"><param name="radius" type="float">round</param></operation>
                <operation name="backgroundImage"><param name="image" type="image">no.png</param></operation>
                <operation name="lineHeight"><param name="value" type="integer">1</param></operation>
                <operation name="opacity"><param name="value" type="float" ref="good"/></operation>
                </uilabel>
                <uilabel/>
                <uilabel id="y"><surprise/>\(colorReference("textColor", "good"))</uilabel>
                </instances>
                <extras><extra/></extras>
                """, "b~watch.xml": "", "c.xml": "</theme><theme>",
            ])
        try shelf.preinstalled.openDirectory("s.theme").put("c.xml", "<other/>")
        let (skin, warnings) = try shelf.read("s")
        #expect(skin.identifiers == ["x", "y"])
        #expect(skin["x"]?.operations.map(\.name) == ["opacity"] && skin.text("x", "opacity") == "1")
        let expected: [(String, Int?, ErrorCode)] = [
            ("a.xml", 3, .skinBadValue), ("a.xml", 4, .skinUnknownType), ("a.xml", 6, .skinUnknownConstant),
            ("a.xml", 7, .skinUnknownConstant), ("a.xml", 10, .skinUnknownComponent),
            ("a.xml", 11, .skinUnknownClass), ("a.xml", 12, .skinUnknownOperation),
            ("a.xml", 13, .skinUnknownParameter), ("a.xml", 14, .skinUnknownConstant),
            ("a.xml", 15, .skinUnknownType), ("a.xml", 16, .skinBadValue), ("a.xml", 17, .skinUnknownAsset),
            ("a.xml", 18, .skinBadValue), ("a.xml", 21, .skinNameMissing), ("a.xml", 22, .skinUnknownElement),
            ("a.xml", 22, .skinBadValue), ("a.xml", 24, .skinUnknownElement), ("b~watch.xml", nil, .skinUnknownIdiom),
            ("c.xml", 1, .skinUnknownElement),
        ]
        let found = warnings.map { "\($0.file):\($0.line ?? 0) \($0.code.rawValue)" }
        #expect(found.sorted() == expected.map { "\($0.0):\($0.1 ?? 0) \($0.2.rawValue)" }.sorted())
        #expect(warnings.allSatisfy { $0.skin == "s" && !$0.message.isEmpty && !$0.message.hasSuffix(".") })
        // Checking all idioms reports each warning once.
        #expect(try Set(SkinReader().check(shelf.chain("s"))) == Set(warnings))
    }

    @Test(arguments: [
        [], ["float"], ["float", "float", "float", "integer"], ["float", "float", "float", "float", "float"],
    ])
    func `an array with other items than its parameter requires is not used`(types: [String]) throws {
        func array(_ types: [String]) -> String { types.map { "<item type='\($0)'>1</item>" }.joined() }
        func padding(_ parameter: String) -> String { "<operation name='padding'>\(parameter)</operation>" }
        let shelf = try SkinShelf()
        try shelf.put(
            "s",
            [
                "a.xml": """
                <constants><constant name='bad' type='array'>\(array(types))</constant>
                <constant name='good' type='array'>\(array(["float", "float", "float", "float"]))</constant></constants>
                <instances>
                \(instance("uiview", "a", padding("<param name='insets'>\(array(types))</param>")))
                \(instance("uiview", "b", padding("<param name='insets' ref='bad'/>")))
                \(instance("uiview", "c", padding("<param name='insets' ref='bad'/>")))
                \(instance("uiview", "d", padding("<param name='insets' ref='good'/>")))
                </instances>
                """
            ])
        let (skin, warnings) = try shelf.read("s")
        #expect(warnings.map { "\($0.file):\($0.line ?? 0)" }.sorted() == ["a.xml:5", "a.xml:6", "a.xml:7"])
        #expect(warnings.allSatisfy { $0.code == .skinBadValue && $0.message.contains("4 items of type 'float'") })
        #expect(["a", "b", "c", "d"].map { skin.text($0, "padding") != nil } == [false, false, false, true])
    }

    @Test func `an invalid definition does not override a valid one`() throws {
        let shelf = try SkinShelf()
        try shelf.put(
            "base",
            [
                "a.xml": """
                <constants>\(constant("ink", "#010101"))</constants>
                <instances>\(instance("uilabel", "x", color("textColor", "#020202") + colorReference("borderColor", "ink")))</instances>
                """
            ])
        try shelf.put(
            "s", parent: "base",
            [
                "a.xml": """
                <constants>\(constant("ink", "blue"))</constants>
                <instances>\(instance("uilabel", "x", color("textColor", "green")))</instances>
                """
            ])
        let (skin, warnings) = try shelf.read("s")
        #expect(warnings.map(\.code) == [.skinBadValue, .skinBadValue])
        #expect(skin.text("x", "textColor") == "#020202" && skin.text("x", "borderColor") == "#010101")
    }

    @Test(arguments: [
        "\" ; } body { background: url(//evil) } \"", "</style><script>alert(1)</script>", "a\\", "line\u{1}end",
        "\u{0301}",
    ])
    func `untrusted text stays within a string of the style sheet`(text: String) {
        let context = StyleContext(vocabulary: .standard) { _ in "" }
        let css = SkinVocabulary.standard.css(SkinValue(type: "string", content: .text(text)), in: context) ?? ""
        #expect(css.utf8.first == UInt8(ascii: "\"") && css.utf8.last == UInt8(ascii: "\"") && css.utf8.count >= 2)
        let inner = css.utf8.dropFirst().dropLast()
        var isEscaped = false
        for byte in inner {
            if !isEscaped { #expect(byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "<") && byte >= 0x20) }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        #expect(!isEscaped)
    }
}
