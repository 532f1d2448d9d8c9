import StoreModel
import StoreSkins
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct SkinKindTests {
    @Test(arguments: [("colors.tdesktop-theme", "windowBg: #fff;"), ("a.attheme", "chat_inBubble=-1")])
    func `themes of other applications are accepted`(name: String, text: String) throws {
        let pack = try TemporaryFolder()
        try pack.directory.put(name, text)
        #expect(throws: Never.self) { try SkinKind().check(pack.directory) }
    }

    /// Returns the warnings for the publisher of a skin with these instances.
    private func warnings(_ instances: String, parent: String? = nil) throws -> [String] {
        let shelf = try SkinShelf()
        try shelf.put("dusk", parent: parent, ["chat.xml": "<instances>\(instances)</instances>"])
        let pack = try shelf.preinstalled.openDirectory("dusk.theme")
        return try SkinKind().checkForPublishing(pack, pictures: [])
    }

    @Test func `a publisher is warned of what clients skip in a skin`() throws {
        let found = try warnings(#"<uiclock id="clock"/>"#)
        try #require(found.count == 1)
        #expect(found[0].hasPrefix("chat.xml:2:") && found[0].contains("unknown component 'uiclock'"))
        #expect(try warnings(#"<uilabel id="a"/>"#).isEmpty)
    }

    @Test func `names that an ancestor may define are no reason for a warning`() throws {
        let instance = #"<uilabel id="a" class="loud"/>"#
        #expect(try warnings(instance).contains { $0.contains("loud") })
        #expect(try warnings(instance, parent: "light").isEmpty)
    }

    @Test func `a publisher sees the first of many warnings, and their number`() throws {
        let found = try warnings((0..<30).map { #"<uiclock id="a\#($0)"/>"# }.joined())
        #expect(found.count == 11 && found.last == "20 more; list all with 'storectl skin check'")
    }
}
