import Foundation
import StoreLibrary
import StoreModel
import StoreSkins
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct RefusalTests {
    /// Malformed files, and the error code of each.
    private static let hostile: [(name: String, word: String, content: @Sendable () -> Data)] = [
        ("malformed", "xml.malformed", { Data("<theme>\n<instances>\n</theme>".utf8) }),
        ("empty", "xml.malformed", { Data() }),
        (
            "bomb", "xml.doctype",
            { Data("<!DOCTYPE t [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n<theme>&b;</theme>".utf8) }
        ),
        ("external", "xml.doctype", { Data("<!DOCTYPE t SYSTEM \"file:///etc/passwd\">\n<theme/>".utf8) }),
        ("entity", "xml.entity", { Data("<theme>\n&secret;</theme>".utf8) }),
        ("deep", "xml.too-large", { Data(String(repeating: "<a>", count: 1_000_000).utf8) }),
        ("attribute", "xml.too-large", { Data("<theme a=\"\(String(repeating: "a", count: 10_000_000))\"/>".utf8) }),
        ("not UTF-8", "xml.not-utf8", { Data(Array("<theme>\n".utf8) + [0xC3, 0x28] + Array("</theme>".utf8)) }),
        ("NUL", "xml.not-utf8", { Data("<theme>\n\u{0}</theme>".utf8) }),
        ("long", "skin.too-large", { Data("<theme>\(String(repeating: " ", count: 10 << 20))</theme>".utf8) }),
        (
            "instances", "skin.too-large",
            {
                let one = "<uiview id=\"a\"/>"
                return Data("<theme><instances>\(String(repeating: one, count: 100_001))</instances></theme>".utf8)
            }
        ),
    ]

    @Test(arguments: hostile.indices)
    func `a hostile file is rejected with its name and line`(index: Int) throws {
        let (name, word, content) = Self.hostile[index]
        let shelf = try SkinShelf()
        let folder = try shelf.put("s")
        try folder.put("evil.xml", content())
        let error = #expect(throws: StoreError.self, "\(name)") { try shelf.read("s") }
        #expect(error?.code.rawValue == word, "\(name)")
        #expect(error?["file"] == .text("evil.xml"), "\(name)")
        #expect(error?.code.exitCode == .refused)
        if !["empty", "long"].contains(name) {
            #expect(error?["line"] != nil && error?["line"] != .count(0), "\(name)")
        }
        #expect(throws: StoreError.self) { try SkinReader().check(shelf.chain("s")) }
    }

    @Test func `the size limit applies to all files of a skin`() throws {
        let shelf = try SkinShelf()
        let folder = try shelf.put("s")
        let half = "<theme><!--\(String(repeating: " ", count: 6 << 20))--></theme>"
        try folder.put("a.xml", half)
        _ = try shelf.read("s")
        try folder.put("b.xml", half)
        let error = #expect(throws: StoreError.self) { try shelf.read("s") }
        #expect(error?.code == .skinTooLarge && error?["file"] == .text("b.xml"))
    }

    @Test func `a class that many instances have does not multiply the size of a skin`() throws {
        let shelf = try SkinShelf()
        let font = "<operation name='font'><param name='font' type='font'>%; 12</param></operation>"
        func skin(_ identifier: String, instances: Int, length: Int) throws -> Directory {
            let style = font.replacing("%", with: String(repeating: "x", count: length))
            let parts = (0..<instances).map { "<uilabel id='p\($0)' class='c'/>" }.joined()
            return try shelf.put(
                identifier,
                ["a.xml": "<classes><class id='c'>\(style)</class></classes><instances>\(parts)</instances>"])
        }
        // 4 kB in 5,000 instances, in a file of 150 kB.
        let bomb = try skin("bomb", instances: 5_000, length: 4_000)
        let error = #expect(throws: StoreError.self) { try shelf.read("bomb") }
        #expect(error?.code == .skinTooLarge && error?.message.contains("'bomb'") == true)
        #expect(error?.hint?.contains("skins.maximumSize") == true)
        #expect(throws: StoreError.self) { try SkinKind().check(bomb) }
        let patient = SkinReader(sizeLimit: 128 << 20)
        #expect(try patient.read(shelf.chain("bomb"), for: .desktop).skin.count == 5_000)
        // Neither many instances nor a long value are a problem alone.
        for folder in [
            try skin("many", instances: 20_000, length: 10), try skin("long", instances: 500, length: 4_000),
        ] {
            #expect(throws: Never.self) { try SkinKind().check(folder) }
        }
    }

    @Test func `a skin and its ancestors share the limits of bytes and elements`() throws {
        let shelf = try SkinShelf()
        let constants = String(repeating: "<constant name='c' type='float'>1</constant>", count: 150_000)
        for (identifier, parent) in [("a", nil), ("b", "a")] {
            try shelf.put(identifier, parent: parent, ["a.xml": "<constants>\(constants)</constants>"])
        }
        #expect(throws: Never.self) { try shelf.read("a") }
        var error = #expect(throws: StoreError.self) { try shelf.read("b") }
        #expect(error?.code == .skinTooLarge && error?["file"] == .text("a.xml"))
        #expect(error?.message.contains("ancestors") == true)

        // Each different name counts, too: three of each constant.
        let names = (0..<70_000).map { "<constant name='n\($0)' type='t\($0)' ref='r\($0)'/>" }.joined()
        try shelf.put("names", ["a.xml": "<constants>\(names)</constants>"])
        error = #expect(throws: StoreError.self) { try shelf.read("names") }
        #expect(error?.code == .skinTooLarge)

        let space = "<!--\(String(repeating: " ", count: 9 << 20))-->"
        for number in 0..<4 {
            try shelf.put("s\(number)", parent: number == 0 ? nil : "s\(number - 1)", ["a.xml": space])
        }
        #expect(throws: Never.self) { try shelf.read("s2") }
        error = #expect(throws: StoreError.self) { try shelf.read("s3") }
        #expect(error?.code == .skinTooLarge && error?.message.contains("ancestors") == true)
    }

    @Test func `references between constants do not multiply their size`() throws {
        let shelf = try SkinShelf()
        var constants = "<constant name='a0' type='array'><item type='string'>aaaaaaaa</item></constant>"
        for level in 1...40 {
            constants += "<constant name='a\(level)' type='array'>"
            constants += String(repeating: "<item ref='a\(level - 1)'/>", count: 10) + "</constant>"
        }
        try shelf.put("s", ["a.xml": "<constants>\(constants)</constants>"])
        let warnings = try shelf.read("s").warnings
        #expect(warnings.map(\.code) == Array(repeating: .skinUnknownConstant, count: 40))
    }

    /// The text of all items of the first would have a gigabyte.
    @Test(arguments: [("string", "", 249_000), ("font", "; 1", 300)])
    func `items that refer to a long constant do not multiply its size`(type: String, end: String, count: Int) throws {
        let shelf = try SkinShelf()
        let long = String(repeating: "x", count: 4000) + end
        try shelf.put("base", ["a.xml": "<constants><constant name='c' type='\(type)'>\(long)</constant></constants>"])
        let items = String(repeating: "<item ref='c'/>", count: count)
        let array = "<operation name='padding'><param name='insets' type='array'>\(items)</param></operation>"
        try shelf.put(
            "s", parent: "base", ["a.xml": "<instances>\(instance("uiview", "x", array))</instances>"])
        let (skin, warnings) = try shelf.read("s")
        #expect(skin["x"]?.operations == [])
        #expect(warnings.map(\.code) == [.skinBadValue])
        #expect(warnings.first?.message.contains("its items exceed the limit") == true)
    }

    @Test func `a constant with many items that refer to another takes linear time`() throws {
        let shelf = try SkinShelf()
        let items = String(repeating: "<item ref='c'/>", count: 249_000)
        let one = "<constant name='c' type='float'>1</constant>"
        let constants = "\(one)<constant name='x' type='array'>\(items)</constant>"
        try shelf.put("s", ["a.xml": "<constants>\(constants)</constants>"])
        #expect(try shelf.read("s").warnings.map(\.code) == [.skinBadValue])
    }

    @Test func `a long chain of constants takes linear time`() throws {
        let shelf = try SkinShelf()
        var constants = constant("a0", "#000000")
        for number in 1...50_000 { constants += "\n<constant name='a\(number)' type='color' ref='a\(number - 1)'/>" }
        try shelf.put(
            "s",
            [
                "a.xml":
                    "<constants>\(constants)</constants><instances>\(instance("uilabel", "x", colorReference("textColor", "a31") + colorReference("borderColor", "a32")))</instances>"
            ])
        let (skin, warnings) = try shelf.read("s")
        #expect(skin["x"]?.operations.map(\.name) == ["textColor"])
        #expect(warnings.count == 10_000 && Set(warnings.map(\.code)) == [.skinUnknownConstant])
    }

    /// If each operation copied the previous ones, this would take minutes.
    @Test func `many items parameters and operations take linear time`() throws {
        let shelf = try SkinShelf()
        func many(_ text: String) -> String { String(repeating: text, count: 60_000) }
        let array =
            "<operation name='padding'><param name='insets' type='array'>\(many("<item type='float'>1</item>"))</param></operation>"
        let parameters = "<operation name='opacity'>\(many("<param name='value' type='float'>1</param>"))</operation>"
        let operations = many("<operation name='no'/>")
        try shelf.put(
            "s", ["a.xml": "<instances>\(instance("uiview", "x", array + parameters + operations))</instances>"])
        let (skin, warnings) = try shelf.read("s")
        #expect(skin["x"]?.operations.map(\.name) == ["opacity"])
        // The array is too long for a value, and all operations are on one line.
        #expect(Set(warnings.map(\.code)) == [.skinBadValue, .skinUnknownOperation])
    }

    @Test(arguments: ["../secret.png", "/etc/passwd", "a/../../secret.png", "link.png", "", "."])
    func `an asset outside the skin's directory is not loaded`(name: String) throws {
        let shelf = try SkinShelf()
        let folder = try shelf.put(
            "s",
            [
                "a.xml":
                    "<instances>\(instance("uiimageview", "x", "<operation name='image'><param name='image' type='image'>\(name)</param></operation>"))</instances>",
                "assets/i.png": "", "secret.png": "",
            ])
        try folder.openDirectory("assets").putLink("link.png", to: "/etc/passwd")
        let (skin, warnings) = try shelf.read("s")
        #expect(warnings.map(\.code) == [.skinUnknownAsset] && skin["x"]?.operations == [])
        let forged = SkinAsset(skin: "s", path: "assets/" + name, isCached: true)
        #expect(throws: (any Error).self) { try skin.bytes(of: forged) }
    }

    @Test(arguments: [
        "<skin identifier=''/>", "<skin identifier='a b'/>", "<skin identifier='a' parent='b c'/>",
    ])
    func `an invalid information file is rejected`(content: String) throws {
        let shelf = try SkinShelf()
        let folder = try shelf.put("s")
        try folder.put("skin.xml", content)
        let error = #expect(throws: StoreError.self) { try SkinInformation.read(from: folder) }
        #expect(
            error?.code == .skinBadInformation && error?["file"] == .text("skin.xml") && error?["line"] == .count(1))
        #expect(shelf.finder.find().unreadable.values.map(\.code) == [.skinBadInformation])
    }

    @Test func `a directory placed by hand that is no skin is reported, another application's theme is not`() throws {
        let shelf = try SkinShelf()
        _ = try shelf.purchased.createDirectory("empty.purchasedTheme", mode: 0o755)
        try shelf.purchased.put("nameless.purchasedTheme/skin.xml", "<skin name='x'/>")
        try shelf.purchased.put("telegram.purchasedTheme/Night.attheme", "a")
        try shelf.purchased.put("store.purchasedTheme/.receipt.json", "{}")
        try shelf.preinstalled.put("other.theme/index.css", "a {}")
        let found = shelf.finder.find()
        let names = found.unreadable.keys.compactMap { $0.split(separator: "/").last.map(String.init) }
        #expect(names.sorted() == ["empty.purchasedTheme", "nameless.purchasedTheme"] && found.skins.isEmpty)
        let error = try #require(found.unreadable.values.first)
        #expect(error.code == .skinBadInformation && error.message.contains("'skin.xml'") && error.hint != nil)
    }

    @Test func `skins of other applications are ignored`() throws {
        let shelf = try SkinShelf()
        try shelf.preinstalled.put("other.theme/skin.xml", "<WasabiXML version='1'/>")
        try shelf.preinstalled.put("same.theme/skin.xml", "<skin><defaultresolution>720p</defaultresolution></skin>")
        try shelf.preinstalled.put("plain.theme/index.css", "a {}")
        let found = shelf.finder.find()
        #expect(found.skins.isEmpty && found.unreadable.isEmpty)
        for name in ["other", "same"] {
            let folder = try shelf.preinstalled.openDirectory(name + ".theme")
            try folder.put(
                "theme.xml",
                "<theme><instances>\(String(repeating: "<a>", count: 40))\(String(repeating: "</a>", count: 40))</instances></theme>"
            )
            try SkinKind().check(folder)
            #expect(throws: StoreError.self) { try SkinInformation.read(from: folder) }
        }
    }

    @Test func `an unreadable skin is not installed`() throws {
        let shelf = try SkinShelf()
        let folder = try shelf.put("s", parent: "not-here", ["a.xml": "<instances/>"])
        try SkinKind().check(folder)
        let one = "<uiview id='a'/>"
        try folder.put(
            "a~tablet.xml", "<theme><instances>\(String(repeating: one, count: 100_001))</instances></theme>")
        let error = #expect(throws: StoreError.self) { try SkinKind().check(folder) }
        #expect(error?.code == .skinTooLarge)
    }
}
