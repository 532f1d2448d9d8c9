import StoreModel
import StoreSkins
import Testing

@Suite struct WebStyleSheetTests {
    private let address = AssetAddress.below("/skins")

    private func sheet(_ parts: SkinForge.Part..., assets: [String] = []) throws -> WebStyleSheet {
        let read = try SkinForge.read(parts, assets: assets)
        #expect(read.warnings == [])
        return WebStyleSheet(read.skin, address: address)
    }

    @Test func `values are custom properties that rules use`() throws {
        let sheet = try sheet(
            .init(
                "button_ok", "uibutton", SkinForge.color("backgroundColor", "#112233"),
                ("cornerRadius", "radius", "float", "6.5"), ("font", "font", "font", "Inter; 14; bold"),
                SkinForge.color("highlightedColor", "#11223380")))
        #expect(
            sheet.text == """
                :root {
                  --button_ok-backgroundColor: #112233;
                  --button_ok-cornerRadius: 6.5px;
                  --button_ok-font: 700 14px "Inter";
                  --button_ok-highlightedColor: #11223380;
                }
                [data-skin="button_ok"] { background-color: var(--button_ok-backgroundColor); }
                [data-skin="button_ok"] { border-radius: var(--button_ok-cornerRadius); }
                [data-skin="button_ok"] { font: var(--button_ok-font), sans-serif; }
                [data-skin="button_ok"]:hover { background-color: var(--button_ok-highlightedColor); }
                [data-skin="button_ok"]:active { background-color: var(--button_ok-highlightedColor); }

                """)
    }

    @Test func `only names of fonts are quoted`() throws {
        let sheet = try sheet(
            .init("a", "uilabel", ("font", "font", "font", "monospace; 12")),
            .init("b", "uilabel", ("font", "font", "font", "Monospace Neue; 12")))
        #expect(sheet.properties.map(\.value) == ["400 12px monospace", "400 12px \"Monospace Neue\""])
    }

    @Test func `lengths have units and other numbers do not`() throws {
        let sheet = try sheet(
            .init(
                "a", "uilabel", ("frame", "rect", "rect", "1, 2, 30, 40.5"), ("opacity", "value", "float", "0.5"),
                ("lineHeight", "value", "float", "1.4"), ("textAlignment", "value", "string", "center"),
                (
                    "padding", "insets", "array",
                    "<item type='float'>1</item><item type='float'>2</item><item type='float'>3</item><item type='float'>4</item>"
                )))
        let values = Dictionary(uniqueKeysWithValues: sheet.properties.map { ($0.name, $0.value) })
        #expect(
            values == [
                "--a-frame": "1px 2px 30px 40.5px", "--a-opacity": "0.5", "--a-lineHeight": "1.4",
                "--a-textAlignment": "center", "--a-padding": "1px 2px 3px 4px",
            ])
        // A value that no CSS property accepts as a whole is written into the rule.
        #expect(sheet.text.contains("{ left: 1px; top: 2px; width: 30px; height: 40.5px; }"))
    }

    @Test func `images are URLs`() throws {
        let sheet = try sheet(
            .init("a", "uibutton", ("image", "image", "image", "a &amp; b.png")),
            .init("b", "uiimageview", ("image", "image", "image", "ok.png"), SkinForge.color("tintColor", "#ff0000")),
            assets: ["a & b.png", "ok.png"])
        #expect(sheet.properties[0].value == "url(\"/skins/test/assets/a%20%26%20b.png\")")
        #expect(sheet.rules[0].text.contains("background-image: var(--a-image)"))
        // A mask image for the tint.
        #expect(!sheet.rules[1].text.contains("background-image"))
        #expect(sheet.rules[1].text.contains("mask: var(--b-image) center / contain no-repeat"))
    }

    /// An added object type: `3, 4` is a shadow.
    private struct Blur: ObjectType {
        let name = "blur"
        func value(of source: ObjectSource) throws(ObjectError) -> Int {
            guard let value = Int(source.text) else { throw .bad("it is no blur") }
            return value
        }
        func text(of value: Int) -> String { "\(value)" }
        func value(ofText text: String) -> Int? { Int(text) }
        func css(_ value: Int, in context: StyleContext) -> String? { "\(value)px" }
    }

    @Test func `added operations appear in the style sheet`() throws {
        var vocabulary = SkinVocabulary.standard
        try vocabulary.add(Blur())
        try vocabulary.add(
            SkinOperation("shadow", SkinParameter("blur", "blur"), SkinParameter("color", "color")), to: "uiview")
        try vocabulary.add(SkinOperation("sound", SkinParameter("word", "string")), to: "uiview")
        let part = SkinForge.Part(
            "a", "uibutton", ("shadow", "blur", "blur", "4"), ("sound", "word", "string", "a \"click\""))
        let skin = try SkinForge.read([part], vocabulary: vocabulary).skin

        let plain = WebStyleSheet(skin, vocabulary: vocabulary, address: address)
        #expect(
            plain.text == """
                :root {
                  --a-shadow: 4px;
                  --a-sound: "a \\"click\\"";
                }

                """)
        let rules = StyleRule.web + [StyleRule(["shadow"], "box-shadow: 0 0 $shadow")]
        let styled = WebStyleSheet(skin, vocabulary: vocabulary, rules: rules, address: address)
        #expect(styled.rules.map(\.text) == ["[data-skin=\"a\"] { box-shadow: 0 0 var(--a-shadow); }\n"])
        let gtk = GTKStyleSheet(
            skin, vocabulary: vocabulary, rules: [StyleRule(["shadow"], "box-shadow: 0 0 $shadow red")],
            address: address)
        #expect(gtk.text == "#a { box-shadow: 0 0 4px red; }\n")
    }

    @Test func `every standard operation has a rule for web pages`() {
        let shown = Set(StyleRule.web.flatMap(\.operations))
        let standard = SkinVocabulary.standard
        for component in standard.allComponents {
            for operation in standard.operations(of: component.name) {
                #expect(shown.contains(operation.name), "\(operation.name)")
            }
        }
        let widgets: Set = ["lineHeight", "textAlignment"]
        #expect(shown.subtracting(StyleRule.gtk.flatMap(\.operations)) == widgets)
    }

    @Test func `colours are written in a form that GTK 3 and 4 accept`() throws {
        let read = try SkinForge.read([.init("a", "uiview", SkinForge.color("borderColor", "#11223300"))])
        let sheet = GTKStyleSheet(read.skin, address: address)
        #expect(sheet.text == "#a { border-color: rgba(17, 34, 51, 0.0); }\n")
    }
}
