import FoundationEssentials
import Glibc
import StoreCatalogue
import StoreModel
import StoreSystem
import StoreTestSupport
import StoreTransfers
import Testing

@testable import StoreEngine

@Suite struct StoreTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    @Test func `a store is added, listed and removed`() async throws {
        let store = try FileStore(.init("a"), .init("b"))
        let manager = try await home.open()
        let record = try await manager.use(store)
        #expect(record.name == "main" && record.url == store.url && record.unsigned && record.products == 2)
        #expect(record.refreshedAt != nil && record.error == nil)
        try await manager.installed("a")
        #expect(await manager.stores.list().map(\.name) == ["main"])
        try await manager.stores.remove("main")
        #expect(await manager.stores.list().isEmpty)
        #expect(await failure { try await manager.stores.remove("main") } == .storeUnknown)
        #expect(await failure { _ = try await manager.stores.refresh(["main"]) } == .storeUnknown)
        // Packs of a removed store stay, and can be uninstalled.
        #expect(try await manager.packs.pack("a").state == [.downloaded, .free])
        #expect(await failure { try await manager.installed("b") } == .productUnknown)
        #expect(try await manager.packs.uninstall("a").end == .finished)
        await manager.close()
        #expect(try await home.open().stores.list().isEmpty)
    }

    @Test func `an unsigned store is added only where that is allowed`() async throws {
        let store = try FileStore(.init("a"))
        let manager = try await home.open()
        let code = await failure {
            _ = try await manager.stores.add(name: "main", url: store.url, unsigned: false, priority: 0)
        }
        #expect(code == .storeUnsigned && code?.exitCode == .refused)
        #expect(await manager.stores.list().isEmpty)
        #expect(try home.folder.directory.openDirectory("cache/catalogues").names().isEmpty)
        await manager.close()
    }

    @Test func `an unsigned store that is added again stays an unsigned one`() async throws {
        let store = try FileStore(.init("a"))
        let manager = try await home.open(using: store)
        let changed = try await manager.stores.add(name: "main", url: store.url, unsigned: false, priority: 6)
        #expect(changed.priority == 6 && changed.signature == nil)
        let other = await failure {
            _ = try await manager.stores.add(
                name: "main", url: store.url.appending(path: "other/"), unsigned: false, priority: 7)
        }
        #expect(other == .storeExists)
        #expect(await manager.stores.list().map(\.priority) == [6])
        await manager.close()
    }

    @Test func `a store on a server that answers 403 for missing files is known as unsigned`() async throws {
        let (store, origin) = (try FileStore(.init("a")), try Origin())
        origin.serve(folder: store.folder.path)
        origin.always("/metadata/1.root.json", .status(403))
        let manager = try await home.open()
        let code = await failure { _ = try await manager.stores.add(name: "main", url: origin.url, unsigned: false) }
        #expect(code == .storeUnsigned)
        await manager.close()
    }

    @Test func `an error page that is larger than the document does not make it too large`() async throws {
        let origin = try Origin()
        origin.serve("/a.json", "{}")
        let page = [UInt8](repeating: 0x20, count: 20_000)
        origin.script("/a.json", [[.status(503), .bytes(page)]])
        let fetcher = CatalogueFetcher(
            transfers: TransferEngine(), timeouts: TransferTimeouts(),
            retry: RetryPolicy(attempts: 2, delay: .zero),
            authorization: { _ in nil }, addresses: { .any })
        let fetched = try await fetcher.fetch(
            origin.url("/a.json"), ifNoneMatch: nil, ifModifiedSince: nil, sizeLimit: 10)
        guard case .document(let data, _, _, _) = fetched else { throw CancellationError() }
        #expect(data == Data("{}".utf8))
        guard
            case .tooLarge = try await fetcher.fetch(
                origin.url("/a.json"), ifNoneMatch: nil, ifModifiedSince: nil, sizeLimit: 1)
        else { throw CancellationError() }
    }

    @Test(arguments: [
        (nil, ExitCode.network), ("", .refused), ("<html>", .refused), ("{", .refused), ("42", .refused),
    ])
    func `a store without a readable catalogue is not added`(content: String?, exitCode: ExitCode) async throws {
        let store = try FileStore(.init("a"))
        try store.folder.directory.remove("catalogue.json")
        if let content { try store.folder.directory.put("catalogue.json", content) }
        let manager = try await home.open()
        #expect(await failure { _ = try await manager.use(store) }?.exitCode == exitCode)
        #expect(await manager.stores.list().isEmpty)
        await manager.close()
    }

    @Test func `a store name belongs to one address`() async throws {
        let (first, second) = (try FileStore(.init("a")), try FileStore(.init("b")))
        let manager = try await home.open(using: first)
        for name in ["", "..", "a/b", "a b", "-a", "local", String(repeating: "x", count: 65)] {
            #expect(await failure { _ = try await manager.use(second, as: name) } == .storeBadName, "\(name)")
        }
        #expect(await failure { _ = try await manager.use(second) } == .storeExists)
        for address in ["ftp://h/", "http://user:password@h/", "http://user@h/", "https://:password@h/"] {
            let url = try #require(URL(string: address))
            #expect(
                await failure { _ = try await manager.stores.add(name: "x", url: url, unsigned: true, priority: 0) }
                    == .storeBadAddress, "\(address)")
        }
        // Adding the store again changes only its priority.
        #expect(try await manager.use(first, priority: 7).priority == 7)
        #expect(await manager.stores.list().map(\.priority) == [7])
        // What is not given stays as it is.
        #expect(
            try await manager.stores.add(name: "main", url: first.url, unsigned: true, token: "secret").priority == 7)
        await manager.close()
        let reopened = try await home.open()
        #expect(await reopened.stores.list().map(\.priority) == [7])
        #expect(await reopened.stores.list().map(\.products) == [1])
        await reopened.close()
    }

    @Test func `a malformed list of stores is left unchanged`() async throws {
        let config = try home.folder.directory.createDirectory("config")
        let twice = #"{"name":"x","url":"file:///x/","unsigned":true,"priority":0}"#
        for content in [
            "", "{}", "[]", #"{"stores":[\#(twice),\#(twice)]}"#,
            #"{"stores":[\#(twice.replacing("\"x\"", with: "\"..\""))]}"#,
        ] {
            try config.put("stores.json", content)
            #expect(await failure { _ = try await home.open() } == .storesMalformed, "\(content)")
            #expect(try config.text("stores.json") == content)
        }
    }

    // MARK: Several stores

    @Test func `a product comes from the store of highest priority`() async throws {
        let (first, second) = (
            try FileStore(.init("a", ["1.txt": "first"]), .init("b")), try FileStore(.init("a", ["1.txt": "second"]))
        )
        let manager = try await home.open()
        try await manager.use(first, as: "first")
        try await manager.use(second, as: "second")
        let code = await failure { try await manager.installed("a") }
        #expect(code == .severalStores && code?.exitCode == .conflict)
        do {
            _ = try await manager.installs.install("a", store: nil)
        } catch let error as StoreError {
            #expect(error.message.contains("'first'") && error.message.contains("'second'"))
        }
        #expect(try await manager.installed("b").store == "first")
        #expect(try await manager.installed("a", store: "second").store == "second")
        // A pack of another store must be uninstalled first; without a name its own store is used.
        let other = await failure { _ = try await manager.installs.install("a", store: "first") }
        #expect(other == .otherStore && other?.exitCode == .conflict)
        #expect(await failure { _ = try await manager.installs.install("a", store: "none") } == .storeUnknown)
        #expect(try await manager.installs.install("a", store: nil).pack?.store == "second")
        #expect(try await manager.products.product("a", store: nil, languages: []).store == "second")
        _ = try await manager.packs.uninstall("a")
        try await manager.use(first, as: "first", priority: 1)
        #expect(try await manager.installed("a").store == "first")
        #expect(await manager.stores.list().map(\.name) == ["first", "second"])
        await manager.close()
    }

    @Test func `of a product's copies in several stores only the installed one is downloaded`() async throws {
        let stores = ["first": try FileStore(.init("a")), "second": try FileStore(.init("a"))]
        let manager = try await home.open()
        for (name, store) in stores { try await manager.use(store, as: name) }
        func states() async -> [String: [ProductState]] {
            let found = await manager.products.search(CatalogueQuery()).products
            return Dictionary(uniqueKeysWithValues: found.map { ($0.store, $0.state) })
        }
        #expect(await states() == ["first": [.free], "second": [.free]])
        try await manager.installed("a", store: "second")
        #expect(await states() == ["first": [.free], "second": [.downloaded, .free]])
        let other = try await manager.products.product("a", store: "first", languages: [])
        #expect(other.state == [.free] && other.pack?.store == "second" && other.pack?.state == [.downloaded, .free])
        _ = try await manager.packs.uninstall("a")
        // A pack that was placed by hand came from none of them, and keeps each from being installed.
        try home.packs.put("a.stickers/1.txt", "mine")
        #expect(await states() == ["first": [.downloaded, .free], "second": [.downloaded, .free]])
        await manager.close()
    }

    @Test func `the description of a product that its store no longer lists says that it is withdrawn`() async throws {
        let store = try FileStore(.init("a"), .init("b"))
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        store.products.removeFirst()
        try store.publish()
        _ = try await manager.stores.refresh()
        let found = try await manager.products.product("a", store: nil, languages: [])
        #expect(found.state == [.downloaded, .free, .withdrawn] && found.product.withdrawn)
        #expect(found.pack?.state == found.state)
        await manager.close()
    }

    @Test func `a dependency comes from the store of its dependent where possible`() async throws {
        let (first, second) = (
            try FileStore(.init("a", dependencies: ["b"]), .init("b", ["1.txt": "first"])),
            try FileStore(.init("a", dependencies: ["b"]), .init("b", ["1.txt": "second"]))
        )
        let manager = try await home.open()
        try await manager.use(first, as: "first")
        try await manager.use(second, as: "second")
        #expect(try await manager.installed("a", store: "second").state == .finished)
        #expect(try await manager.packs.pack("b").store == "second")
        await manager.close()
    }

    @Test func `an unreachable store does not affect the others`() async throws {
        let (good, bad) = (try FileStore(.init("a")), try FileStore(.init("b"), .init("c")))
        let manager = try await home.open()
        try await manager.use(good, as: "good")
        try await manager.use(bad, as: "bad")
        try bad.folder.directory.put("catalogue.json", "{")
        let found = await manager.products.search(CatalogueQuery())
        #expect(Set(found.products.map(\.productIdentifier)) == ["a", "b", "c"])
        #expect(found.warnings.count == 1 && found.warnings[0].contains("'bad'"))
        let records = try await manager.stores.refresh()
        #expect(records.map { $0.error?.code.exitCode } == [nil, .refused])
        #expect(try await manager.installed("a").state == .finished)
        // Its cached catalogue is still offered.
        #expect(try await manager.installed("b").state == .finished)
        await manager.close()
        // Without a cached catalogue its products are unknown.
        try home.folder.directory.removeTree("cache")
        let reopened = try await home.open()
        let code = await failure { try await reopened.installed("c") }
        #expect(code == .storeUnavailable && code?.exitCode == .refused)
        await reopened.close()
    }

    // MARK: Catalogues

    @Test func `a changed catalogue is used by the next request`() async throws {
        let store = try FileStore(.init("a"))
        let manager = try await home.open(using: store)
        store.products.append(.init("b"))
        try store.publish()
        #expect(try await manager.installed("b").state == .finished)
        await manager.close()
    }

    @Test func `a fresh catalogue is not fetched again`() async throws {
        let store = try FileStore(.init("a"))
        let manager = try await home.open(using: store, [.catalogueRefreshAfter: "3600"])
        store.products.append(.init("b"))
        try store.publish()
        #expect(await manager.products.search(CatalogueQuery()).products.map(\.productIdentifier) == ["a"])
        // A product that no store lists causes another refresh.
        #expect(try await manager.products.product("b", store: nil, languages: []).product.productIdentifier == "b")
        await manager.close()
    }

    @Test func `a clock that was set back does not keep an old catalogue`() async throws {
        let store = try FileStore(.init("a"))
        await (try home.open(using: store)).close()
        let cache = try home.folder.directory.openDirectory("cache/catalogues/main")
        var times = [timespec(tv_sec: 4_000_000_000, tv_nsec: 0), timespec(tv_sec: 4_000_000_000, tv_nsec: 0)]
        #expect(utimensat(cache.descriptor, "refreshed", &times, 0) == 0)
        store.products.append(.init("b"))
        try store.publish()
        let manager = try await home.open()
        #expect(try await manager.stores.refresh().map(\.products) == [2])
        await manager.close()
    }

    @Test func `a setting limits a details document, whatever size the catalogue states`() async throws {
        let store = try FileStore()
        let info = String(repeating: "a", count: 3_000)
        try store.folder.directory.put("details.json", #"{"productDetailsInfo":"\#(info)"}"#)
        try store.folder.directory.put(
            "catalogue.json",
            """
            [{"productIdentifier":"a","productResourceURL":"a.zip","productDetailsURL":"details.json",
            "productDetailsSize":1000000000000000}]
            """)
        let manager = try await home.open(using: store)
        let complete = try await manager.products.product("a", store: nil, languages: [])
        #expect(complete.details?.info.text() == info && complete.warnings == [])
        _ = try await manager.set(.catalogueMaximumDetailsSize, to: "2000")
        let limited = try await manager.products.product("a", store: nil, languages: [])
        #expect(limited.details == nil && limited.warnings.count == 1)
        #expect(limited.warnings.first?.contains("details.json' is larger than") == true)
        await manager.close()
    }

    @Test func `the setting for images limits the size of a preview`() async throws {
        let store = try FileStore()
        let image = ImageForge.png()
        try store.folder.directory.put("small.png", Data(image))
        try store.folder.directory.put("large.png", Data(image + [UInt8](repeating: 0, count: 2_000)))
        try store.folder.directory.put(
            "details.json", #"{"productDetailsPreviewImagesURLsArray":["small.png","large.png"]}"#)
        try store.folder.directory.put(
            "catalogue.json",
            #"[{"productIdentifier":"a","productResourceURL":"a.zip","productDetailsURL":"details.json"}]"#)
        let manager = try await home.open(
            using: store, EngineHome.always.merging([.imagesMaximumSize: "2000"]) { $1 })
        #expect(try await manager.products.image(.preview(0), of: "a", store: nil).data == Data(image))
        #expect(
            await failure { _ = try await manager.products.image(.preview(1), of: "a", store: nil) } == .transferTooLong
        )
        await manager.close()
    }

    @Test(arguments: [
        (SettingKey.catalogueMaximumProducts, "1"), (.catalogueMaximumMemory, "1048576"),
        (.catalogueMaximumSize, "50000"), (.catalogueMaximumTotalSize, "50000"),
    ])
    func `settings limit a catalogue`(key: SettingKey, value: String) async throws {
        let store = try FileStore()
        let publisher = String(repeating: "a", count: 1_000)
        let products = (0..<900).map { number in
            #"{"productIdentifier":"p\#(number)","productType":"sticker","version":"1","withdrawn":true,"#
                + #""publisher":"\#(publisher)"}"#
        }
        let shard = #"{"format":2,"products":["# + products.joined(separator: ",") + "]}"
        try store.folder.directory.put("shard.json", shard)
        try store.folder.directory.put(
            "catalogue.json",
            """
            {"format":2,"products":900,"shards":[{"url":"shard.json","size":\(shard.utf8.count),
            "sha256":"\(SHA256Digest(of: shard.utf8).hex)","products":900}]}
            """)
        let manager = try await home.open()
        _ = try await manager.set(key, to: value)
        #expect(await failure { _ = try await manager.use(store) } == .catalogueTooLarge)
        _ = try await manager.set(key, to: key.defaultValue.description)
        #expect(try await manager.use(store).products == 900)
        await manager.close()
    }

    @Test func `the overview of a product has all details`() async throws {
        let store = try FileStore(.init("a", price: "1 EUR"))
        let manager = try await home.open(using: store)
        let description = try await manager.products.product("a", store: "main", languages: [])
        #expect(description.store == "main" && description.product.productPrice == Price("1 EUR"))
        #expect(description.state == [.notPurchased] && description.details == nil && description.pack == nil)
        #expect(
            await failure { _ = try await manager.products.product("z", store: nil, languages: []) } == .productUnknown)
        await manager.close()
    }
}
