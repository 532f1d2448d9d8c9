import FoundationEssentials
import Glibc
import StoreEngine
import StoreEvents
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct DamageTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(.init("a", ["1.txt": "one", "2.txt": "two"]), .init("b"))
    }

    private func damageEvents(_ events: EventBus, after sequence: UInt64) async throws -> [Int?] {
        // A marker event ends the list, so the test needs no timeout.
        events.publish(.catalogue(store: "marker"))
        var found: [Int?] = []
        for try await event in try events.subscribe(after: sequence) {
            switch event.event.happening {
            case .pack(let change) where change.change == .damaged: found.append(change.damages)
            case .catalogue(store: "marker"): return found
            default: break
            }
        }
        return found
    }

    @Test func `damage is published once, and again when it changes`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        let start = manager.events.lastSequence
        #expect(try await manager.packs.verify("a").isEmpty)
        try home.packs.put("a.stickers/1.txt", "eno")
        for _ in 0..<3 { #expect(try await manager.packs.verify("a").count == 1) }
        #expect(try await damageEvents(manager.events, after: start) == [1])
        try home.packs.remove("a.stickers/2.txt")
        for _ in 0..<2 { #expect(try await manager.packs.verify("a").count == 2) }
        #expect(try await damageEvents(manager.events, after: start).isEmpty == false)
        let second = manager.events.lastSequence
        try await manager.end(of: manager.packs.repair("a"))
        #expect(try await manager.packs.verify("a").isEmpty)
        // The same damage is published again after a repair.
        try home.packs.put("a.stickers/1.txt", "eno")
        #expect(try await manager.packs.verify("a").count == 1)
        #expect(try await damageEvents(manager.events, after: second) == [1])
        await manager.close()
    }

    // MARK: The receipt

    @Test(arguments: ["", "{}", "garbage", #"{"format":1}"#])
    func `a pack with an unreadable receipt is repaired`(content: String) async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        try home.packs.put("a.stickers/" + Receipt.fileName, content)
        let damage = [PackDamage(path: Receipt.fileName, damage: .changed)]
        // The known receipt applies until a valid one exists.
        #expect(try await manager.packs.verify("a") == damage)
        #expect(try await manager.packs.pack("a").store == "main")
        await manager.close()
        let next = try await home.open()
        #expect(try await next.packs.verify("a") == damage)
        #expect(try await next.packs.pack("a").store == "main")
        #expect(try await next.end(of: next.packs.repair("a")).state == .finished)
        #expect(try await next.packs.verify("a").isEmpty)
        #expect(try await next.packs.pack("a").store == "main")
        await next.close()
        #expect(try home.isClear())
    }

    @Test func `the history states the origin of a pack whose receipt is lost`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        // The trash is emptied beside the copy, which would miss a file.
        try await eventually { try home.folder.directory.openDirectory("data/trash").names().isEmpty }
        // Without an index, as after a crash.
        let copy = try TemporaryFolder()
        for part in try home.folder.directory.names() {
            try FileManager.default.copyItem(atPath: home.folder.path + "/" + part, toPath: copy.path + "/" + part)
        }
        await manager.close()
        let other = try EngineHome(copy)
        try other.packs.put("a.stickers/" + Receipt.fileName, "garbage")
        let next = try await other.open()
        #expect(try await next.packs.pack("a").store == nil)
        #expect(try await next.packs.verify("a").map(\.path) == [Receipt.fileName])
        #expect(try await next.end(of: next.installs.install("a", store: nil)).state == .finished)
        #expect(try await next.packs.verify("a").isEmpty)
        #expect(try await next.packs.pack("a").store == "main")
        await next.close()
    }

    @Test func `a damaged pack of unknown origin is left alone`() async throws {
        try home.folder.directory.put("data/packs/b.stickers/" + Receipt.fileName, "garbage")
        try home.folder.directory.put("data/packs/b.stickers/mine.txt", "mine")
        #expect(chmod(home.folder.path + "/data", 0o700) == 0)
        let manager = try await home.open(using: store)
        #expect(try await manager.packs.verify("b").map(\.path) == [Receipt.fileName])
        #expect(await failure { _ = try await manager.packs.repair("b") } == .receiptDamaged)
        #expect(
            await failure { _ = try await manager.installs.install("b", store: nil) } == .receiptDamaged)
        #expect(try home.packs.text("b.stickers/mine.txt") == "mine")
        await manager.close()
    }

    @Test func `the published damage of a removed pack is forgotten`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        try home.packs.put("a.stickers/" + Receipt.fileName, "garbage")
        #expect(try await manager.packs.uninstall("a").end == .finished)
        #expect(try home.packs.names().isEmpty)
        await manager.close()
    }

    // MARK: Other requests

    @Test func `an installed pack is described without its store`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        try await manager.stores.remove("main")
        let found = try await manager.products.product("a", store: nil, languages: [])
        #expect(found.store == "main" && found.pack?.productIdentifier == "a")
        #expect(found.state == [.downloaded, .free])
        #expect(
            await failure { _ = try await manager.products.product("a", store: "other", languages: []) }
                == .storeUnknown)
        #expect(
            await failure { _ = try await manager.products.product("z", store: nil, languages: []) } == .productUnknown)
        await manager.close()
    }

    @Test func `a dependency of a running installation can't be removed`() async throws {
        let blocking = BlockingKind()
        store["a"].dependencies = ["b"]
        try store.publish()
        let manager = try await home.open(using: store, kinds: [blocking])
        blocking.release()
        try await manager.installed("b")
        let other = BlockingKind()
        await manager.close()
        let next = try await home.open(kinds: [other])
        let operation = try #require(try await next.installs.install("a", store: nil).operation)
        await other.untilBlocked()
        let code = await failure { _ = try await next.packs.uninstall("b") }
        #expect(code == .packNeeded && code?.exitCode == .conflict)
        #expect(try await next.packs.pack("b").store == "main")
        other.release()
        #expect(try await next.end(of: operation).state == .finished)
        #expect(await failure { _ = try await next.packs.uninstall("b") } == .packNeeded)
        _ = try await next.packs.uninstall("a")
        _ = try await next.packs.uninstall("b")
        await next.close()
    }

    @Test func `the dependencies of a local file come from the stores`() async throws {
        let manager = try await home.open(using: store)
        let folder = try TemporaryFolder()
        func file(needing dependency: String) throws -> String {
            let information = #"{"productIdentifier":"local","kind":"sticker","dependencies":["\#(dependency)"]}"#
            let zip = ZipForge().file("pack.json", Array(information.utf8)).file("1.txt").build()
            try folder.directory.put("local.zip", Data(zip))
            return folder.path + "/local.zip"
        }
        let missing = try file(needing: "nowhere")
        let code = await failure { _ = try await manager.installs.install(file: missing) }
        #expect(code == .productUnknown)
        #expect(try await manager.packs.list().isEmpty)
        #expect(try await manager.end(of: manager.installs.install(file: file(needing: "b"))).state == .finished)
        #expect(try await manager.packs.list().map(\.productIdentifier).sorted() == ["b", "local"])
        #expect(await failure { _ = try await manager.packs.uninstall("b") } == .packNeeded)
        await manager.close()
    }
}
