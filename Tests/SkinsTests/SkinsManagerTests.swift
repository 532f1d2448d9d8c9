import Foundation
import StoreModel
import StoreSkins
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@Suite struct SkinsManagerTests {
    private static func file(_ hex: String, _ rest: String = "") -> [String: String] {
        ["a.xml": "<instances>\(instance("uilabel", "x", color("textColor", hex) + rest))</instances>"]
    }

    private func shelf() throws -> SkinShelf {
        let shelf = try SkinShelf()
        try shelf.put("base", Self.file("#000001"))
        try shelf.put("night", parent: "base", isPurchased: true, Self.file("#000002"))
        return shelf
    }

    @Test func `purchased and preinstalled skins are distinguished`() async throws {
        let shelf = try shelf()
        let manager = SkinsManager(shelf.settings())
        let status = await manager.start()
        #expect(status == SkinStatus(chosen: nil, chain: ["base"], problem: nil))
        #expect(manager.skins.map(\.origin) == [.preinstalled, .purchased])
        #expect(manager.children(of: "base") == ["night"] && manager.children(of: "night") == [])
        #expect(manager.isInUse("base") && !manager.isInUse("night") && !manager.isInUse(""))
    }

    @Test func `without any skin, the problem names the directories of preinstalled skins`() async throws {
        let shelf = try SkinShelf()
        let problem = try #require(await SkinsManager(shelf.settings()).start().problem)
        #expect(problem.code == .skinMissing && problem.message.contains(shelf.preinstalled.path))
        #expect(problem.hint != nil)
    }

    @Test func `an application without directories of preinstalled skins needs no skin`() async throws {
        let shelf = try SkinShelf()
        var settings = shelf.settings()
        settings.finder = SkinFinder(purchased: shelf.purchased.path)
        #expect(await SkinsManager(settings).start() == SkinStatus(chosen: nil, chain: [], problem: nil))
    }

    @Test func `the chosen skin is restored after a restart`() async throws {
        let shelf = try shelf()
        let first = SkinsManager(shelf.settings())
        await first.start()
        try await first.use("night")
        #expect(first.isInUse("night") && first.isInUse("base"))
        let second = SkinsManager(shelf.settings())
        #expect(await second.start().chain == ["night", "base"])
        #expect(second.skin.text("x", "textColor") == "#000002")
        try await second.use(nil)
        let third = SkinsManager(shelf.settings())
        #expect(await third.start().chain == ["base"])
    }

    @Test func `a damaged choice selects the default skin`() async throws {
        let shelf = try shelf()
        try shelf.folder.directory.put("data/skin.json", "{")
        #expect(await SkinsManager(shelf.settings()).start().chain == ["base"])
    }

    @Test func `what an interrupted choice left is removed at the start`() async throws {
        let shelf = try shelf()
        try shelf.folder.directory.put("data/skin.json.new", "{")
        await SkinsManager(shelf.settings()).start()
        #expect(try shelf.folder.directory.tree()["data/skin.json.new"] == nil)
    }

    @Test func `a failed choice leaves the skin in use unchanged`() async throws {
        let shelf = try shelf()
        try shelf.put("broken").put("a.xml", "<theme>")
        let manager = SkinsManager(shelf.settings())
        await manager.start()
        try await manager.use("night")
        #expect(await failure { try await manager.use("broken") } == .xmlMalformed)
        #expect(await failure { try await manager.use("nowhere") } == .skinMissing)
        #expect(manager.status.chain == ["night", "base"] && manager.status.chosen == "night")
    }

    @Test func `a broken skin falls back to another one`() async throws {
        let shelf = try shelf()
        try shelf.put("plain", Self.file("#000003"))
        let manager = SkinsManager(shelf.settings(defaultSkin: "plain"))
        await manager.start()
        try await manager.use("night")
        let night = try shelf.purchased.openDirectory("night.purchasedTheme")
        let whole = try night.read("a.xml")
        try night.put("a.xml", "<theme>")
        var status = await manager.refresh()
        #expect(
            status.chain == ["base"] && status.chosen == "night" && status.problem?.code == .xmlMalformed)
        // The skin is removed; its ancestors are known from before.
        try shelf.purchased.removeTree("night.purchasedTheme")
        status = await manager.refresh()
        #expect(status.chain == ["base"] && status.problem?.code == .skinMissing)
        try shelf.preinstalled.removeTree("base.theme")
        #expect(await manager.refresh().chain == ["plain"])
        try shelf.preinstalled.removeTree("plain.theme")
        #expect(await manager.refresh().chain == [] && manager.skin.count == 0)
        // The skin is used again as soon as it is installed.
        try shelf.put("base", Self.file("#000001"))
        try shelf.put("night", parent: "base", isPurchased: true)
        try shelf.purchased.openDirectory("night.purchasedTheme").put("a.xml", whole)
        status = await manager.refresh()
        #expect(status == SkinStatus(chosen: "night", chain: ["night", "base"], problem: nil))
    }

    @Test func `a change contains the changed identifiers`() async throws {
        let shelf = try SkinShelf()
        let both = instance("uiview", "same", color("borderColor", "#000000"))
        try shelf.put(
            "base",
            ["a.xml": "<instances>\(both)\(instance("uilabel", "x", color("textColor", "#000001")))</instances>"])
        try shelf.put(
            "night", parent: "base",
            [
                "a.xml":
                    "<instances>\(instance("uilabel", "x", color("textColor", "#000002")))\(instance("uiview", "new", color("borderColor", "#000001")))</instances>"
            ])
        let manager = SkinsManager(shelf.settings())
        await manager.start()
        var changes = manager.changes.makeAsyncIterator()
        try await manager.use("night")
        let first = try #require(await changes.next())
        #expect(first.identifiers == ["new", "x"] && first.status.inUse == "night" && first.skin.identifier == "night")
        // Two unread changes are combined.
        try await manager.use("base")
        try await manager.use("night")
        #expect(await changes.next()?.identifiers == ["new", "x"])
        // An asset with the same name and another content.
        let night = try shelf.preinstalled.openDirectory("night.theme")
        let image = "<operation name='backgroundImage'><param name='image' type='image'>i.png</param></operation>"
        try night.put("b.xml", "<theme><instances>\(instance("uiview", "picture", image))</instances></theme>")
        try night.put("assets/i.png", "one")
        await manager.refresh()
        #expect(await changes.next()?.identifiers == ["picture"])
        try night.put("assets/i.png", "two")
        await manager.refresh()
        #expect(await changes.next()?.identifiers == ["picture"])
        await manager.refresh()
        try await manager.use("base")
        #expect(await changes.next()?.identifiers == ["new", "picture", "x"])
    }

    @Test func `the sequence of changes ends with the task`() async throws {
        let manager = SkinsManager(try shelf().settings())
        let watching = Task { [changes = manager.changes] in
            for await _ in changes {}
            return true
        }
        watching.cancel()
        #expect(await watching.value)
    }

    @Test func `a skin is loaded without being used`() async throws {
        let shelf = try shelf()
        let manager = SkinsManager(shelf.settings())
        #expect(try await manager.resolved("night", for: .phone).text("x", "textColor") == "#000002")
        #expect(try await manager.compile("night") == [])
        #expect(try Directory.open(shelf.compiledFolder).names().count == 3)
        let warnings = try await manager.check(try shelf.put("odd", parent: "base", ["a.xml": "<odd/>"]))
        #expect(warnings.map(\.code) == [.skinUnknownElement])
        #expect(await failure { _ = try await manager.resolved("nowhere") } == .skinMissing)
    }
}
