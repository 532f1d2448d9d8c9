import StoreModel
import StoreTestSupport
import Testing

@testable import StoreSkins

@Suite struct ResolvingTests {
    @Test func `the example of the specification is resolved`() throws {
        let shelf = try SkinShelf()
        try shelf.put(
            "night",
            [
                "chat.xml": """
                <constants><constant name="accent" type="color" format="RGB">1.0, 0.0, 0.0</constant></constants>
                <classes><class id="danger">\(colorReference("backgroundColor", "accent"))</class></classes>
                <instances><uibutton id="cancel" class="danger">
                <operation name="cornerRadius"><param name="radius" type="float">6</param></operation>
                <operation name="backgroundImage"><param name="image" type="image" cache="true"> bubble.png </param></operation>
                </uibutton></instances>
                """, "assets/bubble.png": "PNG",
            ])
        let (skin, warnings) = try shelf.read("night")
        #expect(warnings == [])
        #expect(skin.name == "The night" && skin.version == Version("1") && skin.identifiers == ["cancel"])
        let entity = try #require(skin["cancel"])
        #expect(entity.component == "uibutton")
        #expect(entity["backgroundColor"]?["color"]?.value(as: .color) == SkinColor(red: 255, green: 0, blue: 0))
        #expect(entity["cornerRadius"]?["radius"]?.value(as: .float) == 6)
        let image = try #require(entity["backgroundImage"]?["image"]?.value(as: .image))
        #expect(image == SkinAsset(skin: "night", path: "assets/bubble.png", isCached: true))
        #expect(try skin.bytes(of: image) == Array("PNG".utf8))
    }

    @Test func `every object type is parsed`() throws {
        let shelf = try SkinShelf()
        func one(_ type: String, _ text: String, _ attributes: String = "") -> String {
            "<operation name=\"\(type)\"><param name=\"value\" type=\"\(type)\" \(attributes)>\(text)</param></operation>"
        }
        var vocabulary = SkinVocabulary.standard
        let types = ["float", "integer", "string", "color", "point", "size", "rect", "font", "array"]
        try vocabulary.add(SkinComponent("all", types.map { SkinOperation($0, SkinParameter("value", $0)) }))
        let operations = [
            one("float", " 1.50 "), one("integer", "-12"), one("string", " left "),
            one("color", "0, 0.5, 1, 0.5", "format=\"RGBA\""), one("point", "-1, 2.5"), one("size", "3,4"),
            one("rect", "1,2, 3 ,4"), one("font", "Noto Sans; 14; bold"),
            one("array", "<item type=\"float\">1</item>\n<item type=\"color\">#ABCDEF</item>"),
        ]
        try shelf.put("all", ["a.xml": "<instances>\(instance("all", "x", operations.joined()))</instances>"])
        let (skin, warnings) = try shelf.read("all", vocabulary: vocabulary)
        #expect(warnings == [])
        let texts = types.map { skin.text("x", $0) ?? "" }
        let expected = [
            "1.5", "-12", "left", "#0080ff80", "-1, 2.5", "3, 4", "1, 2, 3, 4", "Noto Sans; 14; 700",
            "[[\"float\",\"1\"],[\"color\",\"#abcdef\"]]",
        ]
        #expect(texts == expected)
        let context = StyleContext(vocabulary: vocabulary, isLength: true) { "/\($0.path)" }
        let css = types.map { skin["x"]?[$0]?["value"].flatMap { vocabulary.css($0, in: context) } ?? "-" }
        #expect(
            css == [
                "1.5px", "-12px", "left", "#0080ff80", "-1px 2.5px", "3px 4px", "1px 2px 3px 4px",
                "700 14px \"Noto Sans\"", "1px #abcdef",
            ])
        for type in types {
            let value = try #require(skin["x"]?[type]?["value"])
            // The text of a value is the value.
            #expect(vocabulary.objectType(type).map { again(value.text, $0) } == value.text)
        }
    }

    private func again(_ text: String, _ type: some ObjectType) -> String? {
        type.value(ofText: text).map { type.text(of: $0) }
    }

    @Test func `names are ordered by their bytes`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let scalars: [Unicode.Scalar] = ["a", "b", "z", "\u{301}", "é", "\u{FFFD}", "\u{1F642}"]
        func name() -> String {
            var name = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...20, using: &random) { name.append(scalars.randomElement(using: &random)!) }
            return String(name)
        }
        for _ in 0..<2000 {
            let (a, b) = (name(), name())
            let expected = a.utf8.lexicographicallyPrecedes(b.utf8)
            #expect(a.isBefore(b) == expected, "seed \(seed): '\(a)' '\(b)'")
            #expect(!a.isBefore(a) && "".isBefore(a) == !a.isEmpty, "seed \(seed): '\(a)'")
        }
    }

    @Test func `identifiers with the same beginning are ordered by their bytes, and merged only if they are equal`()
        throws
    {
        let beginning = "a_name_of_16_byt"
        let identifiers = ["a", "a_name_of_16_by", beginning, beginning + "-", beginning + "b", beginning + "é", "é"]
        let shelf = try SkinShelf()
        var files: [String: String] = [:]
        for (file, number) in [("1.xml", "1"), ("2.xml", "2")] {
            let all = identifiers.shuffled().map { instance("uiview", $0, color("borderColor", "#00000\(number)")) }
            files[file] = "<instances>\(all.joined())</instances>"
        }
        try shelf.put("s", files)
        let (skin, warnings) = try shelf.read("s")
        #expect(warnings == [])
        #expect(skin.identifiers == identifiers)
        for identifier in identifiers { #expect(skin.text(identifier, "borderColor") == "#000002") }
    }

    @Test func `an unknown class is reported for each instance that names it`() throws {
        let shelf = try SkinShelf()
        let instances = ["a", "b"].map { instance("uiview", $0, color("borderColor", "#000001"), classes: "x") }
        try shelf.put("s", ["a.xml": "<instances>\(instances.joined(separator: "\n"))</instances>"])
        let (skin, warnings) = try shelf.read("s")
        #expect(skin.identifiers == ["a", "b"])
        #expect(warnings.map(\.code) == [.skinUnknownClass, .skinUnknownClass] && warnings.map(\.line) == [2, 3])
    }

    @Test func `later classes override earlier ones and the element overrides all`() throws {
        let shelf = try SkinShelf()
        try shelf.put(
            "s",
            [
                "a.xml": """
                <classes>
                <class id="one">\(color("backgroundColor", "#000001"))\(color("textColor", "#000002"))</class>
                <class id="two">\(color("textColor", "#000003"))\(color("borderColor", "#000004"))</class>
                </classes>
                <instances>
                \(instance("uilabel", "a", color("borderColor", "#000005"), classes: "one  two"))
                \(instance("uilabel", "b", "", classes: "two\none"))
                \(instance("uiview", "c", "", classes: "one"))
                </instances>
                """
            ])
        let (skin, warnings) = try shelf.read("s")
        #expect(warnings == [])
        #expect(skin.text("a", "backgroundColor") == "#000001")
        #expect(skin.text("a", "textColor") == "#000003" && skin.text("b", "textColor") == "#000002")
        #expect(skin.text("a", "borderColor") == "#000005")
        // The component has no text: the class also applies to components that have.
        #expect(skin["c"]?.operations.map(\.name) == ["backgroundColor"])
    }

    @Test func `files are merged in order of their names`() throws {
        let shelf = try SkinShelf()
        func file(_ hex: String, _ rest: String = "") -> String {
            "<instances>\(instance("uilabel", "x", color("textColor", hex) + rest))</instances>"
        }
        try shelf.put(
            "s",
            [
                "a.xml": file("#000001", color("borderColor", "#0000aa")), "a2.xml": file("#000003"),
                "a~desktop.xml": file("#000002", color("backgroundColor", "#0000bb")),
                "B.xml": file("#000009"), "a~tablet.xml": file("#000007"),
            ])
        let skin = try shelf.read("s").skin
        // The variant is sorted with its plain file, so that a2 comes after both.
        #expect(skin.text("x", "textColor") == "#000003")
        #expect(skin.text("x", "borderColor") == "#0000aa" && skin.text("x", "backgroundColor") == "#0000bb")
    }

    @Test func `definitions of a child override those of its parent`() throws {
        let shelf = try SkinShelf()
        try shelf.put(
            "base",
            [
                "a.xml": """
                <constants>\(constant("accent", "#111111"))\(constant("paper", "#222222"))</constants>
                <classes><class id="c">\(colorReference("backgroundColor", "paper"))</class></classes>
                <instances>
                \(instance("uilabel", "x", colorReference("textColor", "accent"), classes: "c"))
                \(instance("uilabel", "y", color("textColor", "#333333")))
                \(instance("uiimageview", "z", "<operation name='image'><param name='image' type='image'>i.png</param></operation>"))
                </instances>
                """, "assets/i.png": "parent", "assets/p.png": "parent",
            ])
        try shelf.put("middle", parent: "base", [:])
        try shelf.put(
            "night", parent: "middle",
            [
                "a.xml": """
                <constants>\(constant("accent", "#aaaaaa"))<constant name="same" type="color" ref="paper"/></constants>
                <instances>
                \(instance("uilabel", "y", colorReference("backgroundColor", "same")))
                \(instance("uiimageview", "w", "<operation name='image'><param name='image' type='image'>p.png</param></operation>"))
                </instances>
                """, "assets/i.png": "child",
            ])
        let (skin, warnings) = try shelf.read("night")
        #expect(warnings == [])
        #expect(skin.chain.map(\.identifier) == ["night", "middle", "base"])
        #expect(skin.text("x", "textColor") == "#aaaaaa" && skin.text("x", "backgroundColor") == "#222222")
        #expect(skin.text("y", "textColor") == "#333333" && skin.text("y", "backgroundColor") == "#222222")
        let (own, inherited) = (skin["z"]?["image"]?["image"], skin["w"]?["image"]?["image"])
        #expect(own?.value(as: .image)?.skin == "night" && inherited?.value(as: .image)?.skin == "base")
        #expect(try skin.bytes(of: #require(inherited?.value(as: .image))) == Array("parent".utf8))
    }

    @Test(arguments: [
        "<constant name='accent' ref='typo'/>", "<constant name='accent' ref='accent'/>",
        "<constant name='accent' ref='a'/><constant name='a' ref='accent'/>",
        "<constant name='accent' type='float' ref='paper'/>", "<constant name='accent' type='color' ref='typo'/>",
        "<constant name='accent' type='array'><item ref='typo'/></constant>",
    ])
    func `instead of a constant that refers to nothing, the one that it overrides is used`(constants: String) throws {
        let shelf = try SkinShelf()
        try shelf.put(
            "base",
            [
                "a.xml": """
                <constants>\(constant("accent", "#111111"))\(constant("paper", "#222222"))</constants>
                <instances>\(instance("uilabel", "x", colorReference("textColor", "accent")))</instances>
                """
            ])
        try shelf.put("night", parent: "base", ["a.xml": "<constants>\(constants)</constants>"])
        let (skin, warnings) = try shelf.read("night")
        #expect(skin.text("x", "textColor") == "#111111")
        #expect(warnings.map(\.code) == [.skinUnknownConstant])
    }

    @Test func `arrays and references to constants are resolved in any order`() throws {
        let shelf = try SkinShelf()
        try shelf.put(
            "s",
            [
                "a.xml": """
                <constants>
                <constant name="b" ref="z"/>
                <constant name="z" type="array"><item ref="y"/><item type="float">2</item><item ref="x"/><item ref="y"/></constant>
                <constant name="y" ref="x"/><constant name="x" type="float">1</constant>
                </constants>
                <instances>\(instance("uiview", "v", "<operation name='padding'><param name='insets' ref='b'/></operation>"))</instances>
                """
            ])
        let (skin, warnings) = try shelf.read("s")
        #expect(warnings == [])
        #expect(skin.text("v", "padding") == #"[["float","1"],["float","2"],["float","1"],["float","1"]]"#)
    }

    @Test func `inheritance may be deep`() throws {
        let shelf = try SkinShelf()
        let depth = 60
        for level in 0...depth {
            try shelf.put(
                "s\(level)", parent: level == 0 ? nil : "s\(level - 1)",
                [
                    "a.xml":
                        "<instances>\(instance("uiview", "x\(level)", color("borderColor", "#00000\(level % 10)")))</instances>"
                ])
        }
        let skin = try shelf.read("s\(depth)").skin
        #expect(skin.count == depth + 1 && skin.chain.count == depth + 1)
    }

    @Test func `cycles and missing parents are errors that name the chain`() throws {
        let shelf = try SkinShelf()
        try shelf.put("a", parent: "b")
        try shelf.put("b", parent: "c")
        try shelf.put("c", parent: "a")
        try shelf.put("d", parent: "gone")
        let loop = #expect(throws: StoreError.self) { try shelf.chain("a") }
        #expect(loop?.code == .skinParentLoop && loop?.message.contains("a → b → c → a") == true)
        let missing = #expect(throws: StoreError.self) { try shelf.chain("d") }
        #expect(missing?.code == .skinParentMissing && missing?.message.contains("d → gone") == true)
        #expect(throws: StoreError.self) { try shelf.chain("nothing") }
    }

    @Test func `variants for an idiom override plain files`() throws {
        let shelf = try SkinShelf()
        let image = "<operation name='backgroundImage'><param name='image' type='image'>i.png</param></operation>"
        try shelf.put(
            "s",
            [
                "a.xml": "<instances>\(instance("uilabel", "x", color("textColor", "#000000") + image))</instances>",
                "a~iPhone.xml": "<instances>\(instance("uilabel", "x", color("textColor", "#111111")))</instances>",
                "a~tablet.xml": "<instances>\(instance("uilabel", "x", color("textColor", "#222222")))</instances>",
                "assets/i.png": "", "assets/i~iPad.png": "", "assets/i~phone.png": "",
            ])
        let skins = try SkinIdiom.all.map { try shelf.read("s", for: $0).skin }
        #expect(skins.map { $0.text("x", "textColor") } == ["#111111", "#222222", "#000000"])
        #expect(
            skins.map { $0.text("x", "backgroundImage") } == [
                "s read assets/i~phone.png", "s read assets/i~iPad.png", "s read assets/i.png",
            ])
    }
}
