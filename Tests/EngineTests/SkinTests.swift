import FoundationEssentials
import StoreEngine
import StoreEvents
import StoreModel
import StoreSkins
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct SkinTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(
            Self.skin("base", color: "#ffffff"), Self.skin("night", color: "#000000", parent: "base"),
            Self.skin("alone", color: "#00ff00"), .init("cups"))
        try home.folder.directory.put("preinstalled/light.theme/skin.xml", Self.information("light", version: "1"))
        try home.folder.directory.put("preinstalled/light.theme/chat.xml", Self.theme("#eeeeee"))
    }

    private static func information(_ identifier: String, version: String, parent: String? = nil) -> String {
        let parent = parent.map { " parent=\"\($0)\"" } ?? ""
        return "<skin identifier=\"\(identifier)\" name=\"The \(identifier)\" version=\"\(version)\"\(parent)/>"
    }

    private static func theme(_ color: String) -> String {
        """
        <theme><instances><uiview id="chat"><operation name="backgroundColor">
        <param name="color" type="color" format="HEX">\(color)</param></operation></uiview></instances></theme>
        """
    }

    private static func skin(
        _ identifier: String, color: String, version: String = "1", parent: String? = nil
    ) -> FileStore.Product {
        var product = FileStore.Product(
            identifier,
            ["skin.xml": information(identifier, version: version, parent: parent), "chat.xml": theme(color)],
            dependencies: parent.map { [$0] } ?? [], type: "skin")
        product.archive = "\(identifier)-\(version).zip"
        return product
    }

    private func open(_ default: String = "light") async throws -> StoreManager {
        var places = home.places
        places.preinstalled = [home.folder.path + "/preinstalled"]
        let manager = try await home.open(
            EngineHome.always.merging([.skinsDefault: `default`]) { $1 }, in: places)
        if await manager.stores.list().isEmpty { try await manager.use(store) }
        return manager
    }

    private func color(_ manager: StoreManager) -> String? {
        manager.skins.skin["chat"]?["backgroundColor"]?["color"]?.text
    }

    /// Returns the skin events since a sequence number, up to a marker event.
    private func news(_ manager: StoreManager, after sequence: UInt64) async throws -> [(SkinUse, SkinDifference?)] {
        let events = try manager.events.subscribe(after: sequence)
        var news: [(SkinUse, SkinDifference?)] = []
        for try await event in events {
            guard case .skin(let use, let change) = event.event.happening else { continue }
            news.append((use, change))
            if use == manager.skins.skinUse { return news }
        }
        return news
    }

    @Test func `a skin placed by hand is in use, unless an installed one has its identifier`() async throws {
        let manager = try await open()
        func states() async throws -> [String: [ProductState]] {
            let packs = try await manager.packs.list(kind: .skin)
            return Dictionary(uniqueKeysWithValues: packs.map { ($0.path.split(separator: "/").last! + "", $0.state) })
        }
        try home.packs.put("mine.purchasedTheme/skin.xml", Self.information("mine", version: "1"))
        try home.packs.put("mine.purchasedTheme/chat.xml", Self.theme("#0000ff"))
        #expect(try await states() == ["mine.purchasedTheme": [.downloaded]])
        try await manager.skins.use("mine")
        #expect(try await states() == ["mine.purchasedTheme": [.inUse, .downloaded]])
        // The name of the directory says nothing about the skin.
        try home.packs.put("other folder.purchasedTheme/skin.xml", Self.information("other", version: "2"))
        try await manager.skins.use("other")
        let other = try await manager.packs.pack("other")
        #expect(other.name == "The other" && other.version == Version("2") && other.state == [.inUse, .downloaded])
        // Of two directories with the same product, only one is used.
        try await manager.installed("alone")
        try home.packs.put("copy.purchasedTheme/pack.json", #"{"productIdentifier":"alone"}"#)
        try await manager.skins.use("alone")
        let both = try await states()
        #expect(
            both["alone.purchasedTheme"]?.first == .inUse && both["copy.purchasedTheme"] == [.downloaded], "\(both)")
        await manager.close()
    }

    @Test func `a home without any skin has a warning`() async throws {
        var places = home.places
        places.preinstalled = [home.folder.path + "/nowhere"]
        let manager = try await home.open(in: places)
        // A warning in a list has its hint in the same line.
        #expect(
            await manager.warnings() == [
                "no skins found in \(home.folder.path)/nowhere; reinstall the programs, or copy their preinstalled skins to "
                    + "one of these directories"
            ])
        await manager.close()
        places.preinstalled = [home.folder.path + "/preinstalled"]
        let next = try await home.open(in: places)
        #expect(await next.warnings() == [])
        await next.close()
    }

    @Test func `the default skin is in use until an installed one is chosen`() async throws {
        let manager = try await open()
        #expect(manager.skins.skinUse.skin?.identifier == "light" && color(manager) == "#eeeeee")
        #expect(try await manager.installed("night").state == .finished)
        // The skin is installed, and stays unused until it is chosen.
        #expect(manager.skins.skinUse.skin?.identifier == "light")
        #expect(try home.packs.names() == ["base.purchasedTheme", "night.purchasedTheme"])

        let start = manager.events.lastSequence
        let use = try await manager.skins.apply("night")
        #expect(use.skin?.identifier == "night" && use.inherits.map(\.identifier) == ["base"])
        #expect(use.chosen == "night" && use.problem == nil)
        #expect(color(manager) == "#000000")
        let events = try await news(manager, after: start)
        #expect(events.count == 1 && events.first?.0 == use)
        #expect(events.first?.1?.properties["--chat-backgroundColor"] == .some("#000000"))
        #expect(try await manager.packs.pack("night").state.first == .inUse)
        #expect(try await manager.packs.pack("base").state.first == .inUse)
        #expect(try await manager.observers.snapshot().skin == use)
        await manager.close()

        // The choice persists in the next process.
        let next = try await open()
        #expect(next.skins.skinUse == use && color(next) == "#000000")
        await next.close()
    }

    @Test func `a skin in use is removed only if another replaces it`() async throws {
        let manager = try await open()
        try await manager.installed("night")
        try await manager.installed("alone")
        try await manager.skins.use("night")
        #expect(await failure { _ = try await manager.packs.uninstall("night") } == .packInUse)
        #expect(await failure { _ = try await manager.packs.uninstall("base", using: "night") } == .packNeeded)
        #expect(
            await failure { _ = try await manager.packs.uninstall("night", using: "nothing") } == .skinMissing
        )
        #expect(await failure { _ = try await manager.packs.uninstall("night", using: "night") } == .packInUse)
        #expect(manager.skins.skinUse.skin?.identifier == "night")

        let needed = try await manager.packs.dependencies(of: "night")
        _ = try await manager.packs.uninstall("night", using: "alone")
        #expect(manager.skins.skinUse.skin?.identifier == "alone" && color(manager) == "#00ff00")
        // Dependencies that are no longer needed are reported, and not removed.
        #expect(try await manager.packs.unneeded(of: needed) == ["base"])
        #expect(try await manager.packs.list(unneededOnly: true).map(\.productIdentifier) == ["base"])
        #expect(try home.packs.names() == ["alone.purchasedTheme", "base.purchasedTheme"])
        // A dependency is not removed while something uses it.
        try await manager.skins.use("base")
        #expect(try await manager.packs.unneeded(of: needed).isEmpty)
        await manager.close()
    }

    @Test func `an update or a rollback of the skin in use is applied`() async throws {
        let manager = try await open()
        try await manager.installed("night")
        try await manager.skins.use("night")
        store["night"] = Self.skin("night", color: "#111111", version: "2", parent: "base")
        try store.publish()
        var start = manager.events.lastSequence
        #expect(try await manager.updated() == ["night": nil])
        #expect(color(manager) == "#111111")
        var events = try await news(manager, after: start)
        #expect(events.last?.0.skin?.version?.text == "2")
        #expect(events.last?.1?.properties["--chat-backgroundColor"] == .some("#111111"))

        start = manager.events.lastSequence
        _ = try await manager.packs.rollBack("night")
        #expect(color(manager) == "#000000")
        events = try await news(manager, after: start)
        #expect(events.last?.0.skin?.version?.text == "1")
        await manager.close()
    }

    @Test func `a preinstalled parent is not installed`() async throws {
        store.products.append(Self.skin("dim", color: "#777777", parent: "light"))
        try store.publish()
        let manager = try await open()
        #expect(try await manager.installed("dim").state == .finished)
        #expect(try home.packs.names() == ["dim.purchasedTheme"])
        #expect(try await manager.skins.apply("dim").inherits.map(\.identifier) == ["light"])
        await manager.close()
    }

    @Test func `a parent can't be removed while a child is installed`() async throws {
        store["night"].dependencies = []
        try store.publish()
        let manager = try await open()
        try await manager.installed("base")
        try await manager.installed("night")
        #expect(await failure { _ = try await manager.packs.uninstall("base") } == .skinNeeded)
        try await manager.skins.use("base")
        #expect(await failure { _ = try await manager.packs.uninstall("base", using: "light") } == .skinNeeded)
        #expect(manager.skins.skinUse.skin?.identifier == "base")
        try await manager.skins.use(nil)
        #expect(try home.packs.names() == ["base.purchasedTheme", "night.purchasedTheme"])
        _ = try await manager.packs.uninstall("night")
        _ = try await manager.packs.uninstall("base")
        await manager.close()
    }

    @Test func `a broken skin is replaced by its parent`() async throws {
        let manager = try await open()
        try await manager.installed("night")
        try await manager.skins.use("night")
        await manager.close()
        // A user edited the file.
        try home.packs.put("night.purchasedTheme/chat.xml", "<theme>")
        let next = try await open()
        #expect(next.skins.skinUse.skin?.identifier == "base" && next.skins.skinUse.chosen == "night")
        #expect(next.skins.skinUse.problem?.code == .xmlMalformed)
        #expect(color(next) == "#ffffff")
        // An unreadable skin does not replace another.
        #expect(await failure { try await next.skins.use("night") } == .xmlMalformed)
        #expect(next.skins.skinUse.skin?.identifier == "base")
        #expect(try await next.skins.apply(nil).skin?.identifier == "light")
        await next.close()
    }

    @Test func `a skin in a local file states its dependencies`() async throws {
        let path = home.folder.path + "/night.zip"
        try Data(store["night"].zip).write(to: URL(filePath: path))
        let manager = try await open()
        #expect(try await manager.end(of: manager.installs.install(file: path)).state == .finished)
        let pack = try await manager.packs.pack("night")
        #expect(pack.kind == .skin && pack.name.contains("night") && pack.version?.text == "1")
        #expect(try home.packs.names() == ["base.purchasedTheme", "night.purchasedTheme"])
        await manager.close()
    }
}

extension SkinsManager {
    /// Uses a skin, and returns the resulting description of the skin in use.
    fileprivate func apply(_ identifier: String?) async throws -> SkinUse {
        try await use(identifier)
        return skinUse
    }
}
