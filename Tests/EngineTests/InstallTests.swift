import FoundationEssentials
import StoreCatalogue
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct InstallTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    @Test func `an installed pack has exactly the files of its archive`() async throws {
        let files = ["1.svg": "<svg/>", "in/2.txt": "two", "pack.json": #"{"name":"Cups"}"#]
        let store = try FileStore(.init("org.example.cups", files))
        let manager = try await home.open(using: store)
        let status = try await manager.installed("org.example.cups")
        #expect(status.state == .finished && status.error == nil && status.fraction == 1)
        let pack = try #require(try await manager.packs.list().first)
        #expect(pack.productIdentifier == "org.example.cups" && pack.store == "main" && pack.kind == .sticker)
        #expect(pack.name == "The org.example.cups" && pack.version == nil && !pack.held)
        #expect(pack.path == home.folder.path + "/data/packs/org.example.cups.stickers")
        #expect(pack.size == files.values.reduce(0) { $0 + $1.utf8.count })
        #expect(pack.state == [.downloaded, .free])
        var tree = try home.packs.openDirectory("org.example.cups.stickers").tree()
        tree[Receipt.fileName] = nil
        #expect(tree == files)
        #expect(try home.isClear())
        #expect(try await manager.stickers.packs().map(\.count) == [1])
        await manager.close()
    }

    @Test func `an installed product is not installed again`() async throws {
        let manager = try await home.open(using: FileStore(.init("a")))
        let first = try await manager.installed("a")
        let again = try await manager.installs.install("a", store: nil)
        #expect(again.pack?.productIdentifier == "a" && again.operation == first.operation && again.download == nil)
        #expect(try await manager.installs.install("a", store: "main").pack?.productIdentifier == "a")
        #expect(try await manager.history.operations().count == 1)
        await manager.close()
    }

    @Test func `many simultaneous installations all end`() async throws {
        let store = try FileStore()
        store.products = (0..<20).map { .init("pack-\($0)", ["1.txt": "\($0)"]) }
        try store.publish()
        let manager = try await home.open(using: store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for product in store.products.map(\.identifier) {
                // Each product is requested twice: the second request joins the first or finds the pack installed.
                for _ in 1...2 { group.addTask { _ = try await manager.installs.install(product, store: nil) } }
            }
            try await group.waitForAll()
        }
        for status in await manager.downloads.all() { _ = try await manager.end(of: status.operation) }
        #expect(try await manager.packs.list().count == 20)
        let operations = try await manager.history.operations()
        #expect(operations.compactMap(\.error).isEmpty)
        #expect(operations.map(\.end) == Array(repeating: .finished, count: 20))
        #expect(try home.isClear())
        await manager.close()
    }

    @Test func `the history has every operation`() async throws {
        let store = try FileStore(.init("a"), .init("bad"))
        store["bad"].bytes = Array("not a ZIP".utf8)
        try store.publish()
        let manager = try await home.open(using: store)
        let installed = try await manager.installed("a")
        let failed = try await manager.installed("bad")
        let removed = try await manager.packs.uninstall("a")
        #expect(failed.state == .failed && failed.error?.code.exitCode == .refused)
        let history = try await manager.history.operations()
        #expect(history.map(\.operation) == [removed.operation, failed.operation, installed.operation])
        #expect(history.map(\.action) == [.uninstall, .install, .install])
        #expect(history.map(\.end) == [.finished, .failed, .finished])
        #expect(history[1].error?.code == failed.error?.code && history[0].error == nil)
        #expect(history.allSatisfy { $0.store == "main" && $0.endedAt != nil })
        #expect(try await manager.history.operations(of: "bad").count == 1)
        #expect(try await manager.history.operation(failed.operation) == history[1])
        #expect(await failure { _ = try await manager.history.operation(OperationID()) } == .operationUnknown)
        #expect(try home.isClear() && home.packs.names().isEmpty)
        await manager.close()
    }

    // MARK: Requests that are refused before any transfer

    @Test func `a product that no store offers is refused`() async throws {
        let store = try FileStore(.init("a"), .init("gone"), .init("incomplete"), .init("strange", type: "weather"))
        store["gone"].withdrawn = true
        store["incomplete"].isIncomplete = true
        try store.publish()
        let manager = try await home.open(using: store)
        #expect(await failure { try await manager.installed("b") } == .productUnknown)
        #expect(await failure { try await manager.installed("a", store: "other") } == .storeUnknown)
        #expect(await failure { try await manager.installed("gone") } == .productWithdrawn)
        #expect(await failure { try await manager.installed("incomplete") } == .productIncomplete)
        #expect(await failure { try await manager.installed("strange") } == .kindUnknown)
        #expect(await failure { _ = try await manager.packs.uninstall("a") } == .packMissing)
        #expect(await failure { _ = try await manager.downloads.cancel("a") }?.exitCode == .notFound)
        #expect(try await manager.history.operations().isEmpty && home.isClear())
        await manager.close()
    }

    @Test func `a size larger than any disk is an error of space`() async throws {
        let store = try FileStore(.init("a"))
        let list =
            #"[{"productIdentifier": "a", "productType": "sticker", "productResourceURL": "a.zip", "productResourceSize": \#(Int.max)}]"#
        try Data(list.utf8).write(to: store.url.appending(path: "catalogue.json"))
        let manager = try await home.open(using: store)
        let status = try await manager.installed("a")
        #expect(status.state == .failed && status.error?.code.exitCode == .space)
        #expect(try home.isClear())
        await manager.close()
    }

    @Test func `a product with a price has to be purchased first`() async throws {
        let manager = try await home.open(using: FileStore(.init("a", price: "0.99 EUR")))
        let code = await failure { try await manager.installed("a") }
        #expect(code == .notPurchased && code?.exitCode == .notEntitled)
        #expect(try await manager.products.product("a", store: nil, languages: []).state == [.notPurchased])
        let purchase = try await manager.purchases.grant("a")
        #expect(try await manager.purchases.grant("a") == purchase)
        #expect(try await manager.purchases.list() == [purchase])
        #expect(try await manager.products.product("a", store: nil, languages: []).state == [.purchased])
        #expect(try await manager.installed("a").state == .finished)
        #expect(try await manager.packs.pack("a").state == [.downloaded, .purchased])
        try await manager.purchases.revoke("a")
        #expect(await failure { try await manager.purchases.revoke("a") } == .notOnList)
        #expect(try await manager.packs.pack("a").state == [.downloaded, .notPurchased])
        await manager.close()
    }

    @Test func `an unmanaged pack is left alone`() async throws {
        let manager = try await home.open(using: FileStore(.init("a")))
        try home.packs.put("a.stickers/mine.png", "mine")
        let code = await failure { try await manager.installed("a") }
        #expect(code == .packByHand && code?.exitCode == .conflict)
        let pack = try await manager.packs.pack("a")
        #expect(pack.store == nil && pack.state == [.downloaded])
        #expect(await failure { _ = try await manager.packs.uninstall("a") } == .packByHand)
        #expect(await failure { _ = try await manager.packs.repair("a") } == .packByHand)
        #expect(try await manager.updated().isEmpty)
        #expect(try await manager.updated(["a"])["a"]??.code == .packByHand)
        #expect(try home.packs.openDirectory("a.stickers").tree() == ["mine.png": "mine"])
        await manager.close()
    }

    @Test(arguments: [
        "../../x", "🙂", String(repeating: "long", count: 75), "a/b", "..", "a b%2F",
    ])
    func `odd identifiers are installed and removed`(identifier: String) async throws {
        let manager = try await home.open(using: FileStore(.init(identifier)))
        #expect(try await manager.installed(identifier).state == .finished)
        #expect(try await manager.packs.pack(identifier).productIdentifier == identifier)
        #expect(try home.packs.names() == [PackDirectoryName(productIdentifier: identifier).text + ".stickers"])
        #expect(try await manager.packs.uninstall(identifier).end == .finished)
        #expect(try home.packs.names().isEmpty)
        #expect(try home.folder.directory.names() == ["cache", "config", "data"])
        await manager.close()
    }

    // MARK: Dependencies

    @Test(arguments: ["1", "16"])
    func `dependencies are installed first`(atOnce: String) async throws {
        let store = try FileStore(
            .init("a", dependencies: ["b", "c"]), .init("b", dependencies: ["d"]), .init("c", dependencies: ["d"]),
            .init("d"))
        let manager = try await home.open(
            using: store, EngineHome.always.merging([.downloadsMaximumAtOnce: atOnce]) { $1 })
        #expect(try await manager.installed("a").state == .finished)
        let order = try await manager.packs.list().sorted { $0.installedAt < $1.installedAt }.map(\.productIdentifier)
        #expect(Set(order) == ["a", "b", "c", "d"])
        for (identifier, dependents) in [("d", ["b", "c"]), ("b", ["a"])] {
            await #expect(
                performing: {
                    _ = try await manager.packs.uninstall(identifier)
                },
                throws: { error in
                    guard let error = error as? StoreError else { return false }
                    return error.code == .packNeeded && dependents.allSatisfy { error.message.contains("'\($0)'") }
                })
        }
        for identifier in ["a", "b", "c", "d"] { _ = try await manager.packs.uninstall(identifier) }
        #expect(try await manager.packs.list().isEmpty)
        await manager.close()
    }

    @Test func `a product that depends on itself can be removed`() async throws {
        let manager = try await home.open(using: FileStore(.init("a", dependencies: ["a"])))
        #expect(try await manager.installed("a").state == .finished)
        #expect(try await manager.packs.uninstall("a").end == .finished)
        await manager.close()
    }

    @Test func `products that depend on each other are installed and removed`() async throws {
        let store = try FileStore(.init("a", dependencies: ["b"]), .init("b", dependencies: ["a"]))
        let manager = try await home.open(using: store)
        #expect(try await manager.installed("a").state == .finished)
        #expect(Set(try await manager.packs.list().map(\.productIdentifier)) == ["a", "b"])
        // Neither dependency blocks the other.
        for identifier in ["b", "a"] { #expect(try await manager.packs.uninstall(identifier).end == .finished) }
        await manager.close()
    }

    /// Returns a store in which `p0` needs `p1`, and so on, with `length` dependencies.
    private func chain(_ length: Int) throws -> FileStore {
        let store = try FileStore()
        store.products = (0...length).map { .init("p\($0)", dependencies: $0 == length ? [] : ["p\($0 + 1)"]) }
        try store.publish()
        return store
    }

    @Test func `the catalogue is looked up once for all dependencies of a product`() async throws {
        let (store, origin) = (try chain(20), try Origin())
        origin.serve(folder: store.folder.path)
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "main", url: origin.url, unsigned: true, priority: 0)
        let before = origin.requests(to: "/catalogue.json").count
        #expect(try await manager.installed("p0").state == .finished)
        // Once for the product, and once for its dependencies.
        #expect(origin.requests(to: "/catalogue.json").count - before == 2)
        #expect(try await manager.packs.list().count == 21)
        await manager.close()
    }

    @Test(arguments: [SettingKey.dependenciesMaximumCount, .dependenciesMaximumDepth])
    func `settings limit the dependencies of a product`(key: SettingKey) async throws {
        let store = try chain(3)
        let manager = try await home.open(using: store, EngineHome.always.merging([key: "2"]) { $1 })
        #expect(await failure { try await manager.installed("p0") } == .dependencyLimit)
        #expect(try await manager.history.operations().isEmpty, "nothing was begun")
        #expect(try await manager.installed("p1").state == .finished)
        // The dependencies that are installed do not count.
        #expect(try await manager.installed("p0").state == .finished)
        await manager.close()
    }

    @Test func `a failed dependency fails its dependents`() async throws {
        let store = try FileStore(.init("a", dependencies: ["b"]), .init("b"), .init("c", dependencies: ["d"]))
        store["b"].bytes = Array("not a ZIP".utf8)
        try store.publish()
        let manager = try await home.open(using: store)
        let status = try await manager.installed("a")
        #expect(status.state == .failed && status.error?.code == .prerequisiteFailed)
        #expect(status.error?.code.exitCode == .refused && status.error?.message.contains("'b'") == true)
        #expect(await failure { try await manager.installed("c") } == .productUnknown)
        #expect(try await manager.packs.list().isEmpty && home.isClear())
        await manager.close()
    }

    // MARK: Local files

    @Test func `a local file is installed as its information file says`() async throws {
        let manager = try await home.open()
        let files = try TemporaryFolder()
        func put(_ name: String, _ content: [String: String]) throws -> String {
            try files.directory.put(name, Data(FileStore.Product("x", content).zip))
            return files.path + "/" + name
        }
        let named = try put(
            "one.zip", ["1.txt": "1", "pack.json": #"{"productIdentifier":"org.x","kind":"sticker","version":"2"}"#])
        #expect(try await manager.end(of: manager.installs.install(file: named)).state == .finished)
        let pack = try await manager.packs.pack("org.x")
        #expect(pack.store == "local" && pack.version == Version("2") && pack.state == [.downloaded, .free])
        #expect(try await manager.installs.install(file: named).pack?.productIdentifier == "org.x")
        let newer = try put(
            "two.zip", ["2.svg": FileStore.image, "pack.json": #"{"productIdentifier":"org.x","version":"3"}"#])
        #expect(try await manager.end(of: manager.installs.install(file: newer)).state == .finished)
        #expect(try await manager.packs.pack("org.x").version == Version("3"))

        for (name, information) in [("plain.zip", nil), ("empty.zip", #"{"productIdentifier":""}"#)] {
            var content = ["1.svg": FileStore.image]
            content["pack.json"] = information
            #expect(try await manager.end(of: manager.installs.install(file: put(name, content))).state == .finished)
        }
        #expect(try await manager.packs.list().map(\.productIdentifier).sorted() == ["empty", "org.x", "plain"])
        // No store offers these packs, so there is nothing to update them to.
        #expect(try await manager.updated(["plain"]) == ["plain": nil])
        #expect(try await manager.updated().isEmpty)

        #expect(
            await failure { _ = try await manager.installs.install(file: files.path + "/gone.zip") } == .fileUnusable)
        #expect(await failure { _ = try await manager.installs.install(file: files.path) } == .fileUnusable)
        #expect(
            await failure { _ = try await manager.installs.install(file: put(".zip", ["1.svg": FileStore.image])) }
                == .badInformation)
        await manager.close()
    }
}
