import Foundation
import StoreModel
import StoreSkins
import StoreSystem
import Testing

@Suite struct PreinstalledSkinsTests {
    @Test(arguments: PreinstalledSkins.names)
    func `a preinstalled skin has no warnings and follows the rules for skins`(name: String) throws {
        let chain = try PreinstalledSkins.chain(name)
        #expect(chain[0].identifier == name)
        #expect(try SkinReader().check(chain) == [])
        // The rules for skins of a store apply as well.
        try SkinKind().check(chain[0].directory)
    }

    @Test(arguments: PreinstalledSkins.names, SkinIdiom.all)
    func `a preinstalled skin defines every part and nothing else`(name: String, idiom: SkinIdiom) throws {
        let skin = try PreinstalledSkins.read(name, for: idiom)
        #expect(Set(skin.identifiers) == Set(ChatParts.all.map(\.identifier)))
        for part in ChatParts.all {
            let entity = try #require(skin[part.identifier])
            #expect(entity.component == part.component, "\(part.identifier)")
            #expect(!entity.operations.isEmpty, "\(part.identifier)")
            if part.summary.hasSuffix("an icon.") { #expect(entity["image"] != nil, "\(part.identifier)") }
        }
    }

    @Test func `every text defines its colour and font`() throws {
        let skin = try PreinstalledSkins.read("dark")
        var checked = 0
        for entity in skin.entities where SkinVocabulary.standard.operation("font", of: entity.component) != nil {
            guard entity["image"] == nil, entity.identifier != "sticker_tray_cell" else { continue }
            #expect(entity["textColor"] != nil && entity["font"] != nil, "\(entity.identifier)")
            checked += 1
        }
        #expect(checked >= 5)
    }

    @Test func `dark inherits from light and only overrides differences`() throws {
        #expect(try PreinstalledSkins.chain("dark").map(\.identifier) == ["dark", "light"])
        #expect(PreinstalledSkins.files("dark", in: "").keys.sorted() == ["colours.xml", "skin.xml"])
        let (light, dark) = try (constants("light"), constants("dark"))
        let same = dark.filter { light[$0.key] == $0.value }.keys.sorted()
        #expect(same == [])
        #expect(Set(dark.keys).subtracting(light.keys) == [])
        let (mine, parents) = (
            PreinstalledSkins.files("dark", in: "assets"), PreinstalledSkins.files("light", in: "assets")
        )
        for (name, content) in mine {
            #expect(parents[name] != nil && parents[name] != content, "\(name)")
        }
        #expect(!mine.isEmpty)
    }

    /// Returns the text of each constant that a skin defines itself.
    private func constants(_ name: String) throws -> [String: String] {
        let file = try String(contentsOfFile: PreinstalledSkins.path(name) + "/colours.xml", encoding: .utf8)
        return Dictionary(
            uniqueKeysWithValues: file.matches(of: /<constant name="([^"]+)"[^>]*>([^<]*)</).map {
                (String($0.1), String($0.2))
            })
    }

    @Test func `no asset is unused or duplicated`() throws {
        var used: Set<String> = []
        for name in PreinstalledSkins.names {
            for idiom in SkinIdiom.all {
                for operation in try PreinstalledSkins.read(name, for: idiom).entities.flatMap(\.operations) {
                    for asset in operation.parameters.compactMap({ $0.value.value(as: .image) }) {
                        used.insert("\(asset.skin)/\(asset.path)")
                    }
                }
            }
        }
        let there = PreinstalledSkins.names.flatMap { name in
            PreinstalledSkins.files(name, in: "assets").keys.map { "\(name)/assets/\($0)" }
        }
        #expect(used == Set(there))
        let contents = PreinstalledSkins.names.flatMap { PreinstalledSkins.files($0, in: "assets").values }
        #expect(Set(contents).count == contents.count)
    }

    @Test func `controls are larger for touch screens`() throws {
        let sizes = try [SkinIdiom.desktop, .tablet, .phone].map { idiom in
            let entity = try #require(try PreinstalledSkins.read("light", for: idiom)["button_confirm_action"])
            let insets = try #require(entity["padding"]?["insets"]?.value(as: .array))
            return try #require(insets.first?.value(as: .float))
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == 3, "\(sizes)")
    }
}
