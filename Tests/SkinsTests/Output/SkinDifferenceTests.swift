import FoundationEssentials
import StoreModel
import StoreSkins
import StoreTestSupport
import Testing

@Suite struct SkinDifferenceTests {
    private let address = AssetAddress.below("/skins")

    @Test func `a difference lists added removed and changed values`() throws {
        let old = try SkinForge.read([
            .init(
                "a", "uiview", SkinForge.color("backgroundColor", "#000000"), ("cornerRadius", "radius", "float", "2")),
            .init("b", "uiview", ("opacity", "value", "float", "1")),
            .init("gone", "uiview", ("opacity", "value", "float", "1")),
        ]).skin
        let new = try SkinForge.read(
            [
                .init(
                    "a", "uiview", SkinForge.color("backgroundColor", "#ffffff"),
                    ("cornerRadius", "radius", "float", "2")),
                .init("b", "uiview", ("opacity", "value", "float", "1"), ("borderWidth", "width", "float", "3")),
            ], identifier: "other"
        ).skin
        let change = SkinDifference(from: old, to: new, address: address)
        #expect(change.from?.identifier == "test")
        #expect(change.to == SkinReference(identifier: "other", name: "A test", version: Version("1.2")))
        let properties: [String: String?] = [
            "--a-backgroundColor": "#ffffff", "--b-borderWidth": "3px", "--gone-opacity": nil,
        ]
        #expect(change.properties == properties)
        let identifiers: [String: [String: SkinValues.Operation?]] = [
            "a": ["backgroundColor": ["color": .init(type: "color", value: .string("#ffffff"))]],
            "b": ["borderWidth": ["width": .init(type: "float", value: .number(3))]],
            "gone": ["opacity": nil],
        ]
        #expect(change.identifiers == identifiers)
        #expect(change.rules)
        // The difference is encoded and decoded, including `null` values.
        let data = try JSON.encode(change)
        #expect(String(decoding: data, as: UTF8.self).contains("\"--gone-opacity\":null"))
        let back = try JSON.decode(SkinDifference.self, from: data)
        #expect(back.properties == change.properties && back.rules)
        #expect(Set(back.identifiers.keys) == ["a", "b", "gone"])
    }

    @Test func `a skin does not differ from itself`() throws {
        let light = try PreinstalledSkins.read("light")
        #expect(SkinDifference(from: light, to: try PreinstalledSkins.read("light"), address: address).isEmpty)
        let first = SkinDifference(from: nil, to: light, address: address)
        #expect(first.from == nil && first.rules && !first.isEmpty)
        #expect(Set(first.identifiers.keys) == Set(light.identifiers))
    }

    /// Pages can switch without loading a style sheet.
    @Test(arguments: SkinIdiom.all)
    func `a change from light to dark needs no other rules`(idiom: SkinIdiom) throws {
        let (light, dark) = try (
            PreinstalledSkins.read("light", for: idiom), PreinstalledSkins.read("dark", for: idiom)
        )
        let change = SkinDifference(from: light, to: dark, address: address)
        #expect(!change.rules)
        #expect(!change.properties.isEmpty)
        #expect(change.properties.values.allSatisfy { $0 != nil })
        // Fonts and paddings are the same in both.
        #expect(change.properties.keys.filter { $0.hasSuffix("-font") || $0.hasSuffix("-padding") } == [])
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `an applied difference results in the style sheet of the new skin`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func skin() throws -> ResolvedSkin {
            let parts = (0..<6).filter { _ in Bool.random(using: &random) }.map { number in
                let all = [
                    SkinForge.color("backgroundColor", ["#000000", "#ffffff"].randomElement(using: &random) ?? ""),
                    ("cornerRadius", "radius", "float", "\(Int.random(in: 0...2, using: &random))"),
                    ("frame", "rect", "rect", "0, 0, \(Int.random(in: 1...2, using: &random)), 1"),
                ]
                return SkinForge.Part("p\(number)", "uiview", all.filter { _ in Bool.random(using: &random) })
            }
            return try SkinForge.read(parts).skin
        }
        let (old, new) = try (skin(), skin())
        let change = SkinDifference(from: old, to: new, address: address)
        var properties = sheet(old)
        for (name, value) in change.properties { properties[name] = value }
        #expect(properties == sheet(new), "seed \(seed)")
        if !change.rules { #expect(rules(old) == rules(new), "seed \(seed)") }

        var values = operations(old)
        for (identifier, changed) in change.identifiers {
            for (operation, inputs) in changed { values[identifier, default: [:]][operation] = inputs }
        }
        #expect(values.filter { !$0.value.isEmpty } == operations(new).filter { !$0.value.isEmpty }, "seed \(seed)")
    }

    private func sheet(_ skin: ResolvedSkin) -> [String: String] {
        Dictionary(uniqueKeysWithValues: WebStyleSheet(skin, address: address).properties.map { ($0.name, $0.value) })
    }
    private func rules(_ skin: ResolvedSkin) -> String {
        WebStyleSheet(skin, address: address).rules.map(\.text).joined()
    }
    private func operations(_ skin: ResolvedSkin) -> [String: [String: SkinValues.Operation]] {
        skin.values(address: address).identifiers.mapValues(\.operations)
    }
}

@Suite struct SkinValuesTests {
    @Test func `the JSON form is as documented`() throws {
        let skin = try SkinForge.read(
            [
                .init(
                    "a", "uibutton", SkinForge.color("backgroundColor", "#11223344"),
                    ("font", "font", "font", "Inter; 14.5; 600"), ("image", "image", "image", "x.png"),
                    ("padding", "insets", "array", String(repeating: "<item type='float'>1.5</item>", count: 4)))
            ], assets: ["x.png"]
        ).skin
        let data = try JSON.encode(skin.values(address: AssetAddress.below("/skins")))
        #expect(
            String(decoding: data, as: UTF8.self) == """
                {"format":1,"identifiers":{"a":{"component":"uibutton","operations":{\
                "backgroundColor":{"color":{"type":"color","value":"#11223344"}},\
                "font":{"font":{"type":"font","value":{"family":"Inter","size":14.5,"weight":600}}},\
                "image":{"image":{"address":"/skins/test/assets/x.png","type":"image",\
                "value":{"cache":false,"path":"assets/x.png","skin":"test"}}},\
                "padding":{"insets":{"type":"array","value":[1.5,1.5,1.5,1.5]}}}}},\
                "idiom":"desktop","inherits":[],"skin":{"identifier":"test","name":"A test","version":"1.2"}}
                """)
        #expect(try JSON.decode(SkinValues.self, from: data) == skin.values(address: AssetAddress.below("/skins")))
    }

    @Test func `the JSON form lists the ancestors`() throws {
        let values = try PreinstalledSkins.read("dark", for: .phone).values(address: AssetAddress.below(""))
        #expect(values.skin.identifier == "dark" && values.inherits.map(\.identifier) == ["light"])
        #expect(values.idiom == "phone")
        #expect(values.identifiers.count == ChatParts.all.count)
    }
}
