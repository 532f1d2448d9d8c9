import FoundationEssentials
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests which packs can be removed because they were only installed for others.
@Suite struct UnneededPacksTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(
            .init("app", dependencies: ["base"]), .init("base", dependencies: ["core"]), .init("core"),
            .init("other", dependencies: ["core"]))
    }

    private func unneeded(_ manager: StoreManager) async throws -> [String] {
        try await manager.packs.list(unneededOnly: true).map(\.productIdentifier)
    }

    @Test func `what was installed for a removed pack is unneeded, unless something else needs it`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("app")
        try await manager.installed("other")
        #expect(try await unneeded(manager).isEmpty)
        let needed = try await manager.packs.dependencies(of: "app")
        _ = try await manager.packs.uninstall("app")
        #expect(try await manager.packs.unneeded(of: needed) == ["base"])
        _ = try await manager.packs.uninstall("other")
        #expect(try await manager.packs.unneeded(of: needed) == ["base", "core"])
        // 'base' needs 'core', but nothing needs 'base'.
        #expect(try await unneeded(manager) == ["base", "core"])
        _ = try await manager.packs.setHeld("base", true)
        #expect(try await unneeded(manager).isEmpty)
        await manager.close()
    }

    @Test func `a pack that was installed by name is never unneeded`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("core")
        try await manager.installed("app")
        // Named after it was installed for another product.
        #expect(try await manager.installs.install("base", store: nil).pack?.productIdentifier == "base")
        _ = try await manager.packs.uninstall("app")
        #expect(try await unneeded(manager).isEmpty)
        _ = try await manager.packs.uninstall("base")
        #expect(try await unneeded(manager).isEmpty)
        await manager.close()
    }

    @Test(arguments: [false, true])
    func `what was installed by name is known after a restart without the database`(isUpdated: Bool) async throws {
        var manager = try await home.open(using: store)
        try await manager.installed("app")
        _ = try await manager.installs.install("core", store: nil)
        if isUpdated {
            for identifier in ["base", "core"] { store[identifier].files = ["1.txt": "number two"] }
            try store.publish()
            #expect(try await manager.updated() == ["base": nil, "core": nil])
        }
        _ = try await manager.packs.uninstall("app")
        await manager.close()
        for name in try home.data.names() where name.hasPrefix("library.sqlite") { try home.data.remove(name) }
        manager = try await home.open()
        #expect(try await unneeded(manager) == ["base"])
        await manager.close()
        // Now from the index in the database.
        manager = try await home.open()
        #expect(try await unneeded(manager) == ["base"])
        await manager.close()
    }

    @Test(arguments: [false, true])
    func `a product that is named while it is downloaded for another stays`(isNamed: Bool) async throws {
        let blocking = BlockingKind()
        let manager = try await home.open(using: store, kinds: [blocking])
        let installation = try await manager.installs.install("other", store: nil)
        await blocking.untilBlocked()
        // The check of 'core' is under way, which 'other' waits for.
        if isNamed { #expect(try await manager.installs.install("core", store: nil).joined) }
        #expect(try await unneeded(manager).isEmpty)
        blocking.release()
        #expect(try await manager.end(of: installation).state == .finished)
        _ = try await manager.packs.uninstall("other")
        #expect(try await unneeded(manager) == (isNamed ? [] : ["core"]))
        await manager.close()
    }

    @Test func `packs that only need each other are unneeded`() async throws {
        store["core"].dependencies = ["base"]
        try store.publish()
        let manager = try await home.open(using: store)
        try await manager.installed("app")
        _ = try await manager.packs.uninstall("app")
        #expect(try await unneeded(manager) == ["base", "core"])
        _ = try await manager.packs.uninstall("base")
        _ = try await manager.packs.uninstall("core")
        await manager.close()
    }
}
