import FoundationEssentials
import StoreEngine
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import Testing

@Suite(.hangGuard) struct VerifiedStoreTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    private let product = "org.shop.cups"

    private func add(
        _ shop: SignedOrigin, to manager: StoreManager, root: Data? = nil, fingerprint: String? = nil
    ) async throws -> StoreSummary {
        try await manager.stores.add(
            name: "shop", url: shop.origin.url, unsigned: false, root: .data(root ?? shop.root),
            fingerprint: fingerprint)
    }

    private func error(_ body: () async throws -> Void) async -> ErrorReport? {
        do {
            try await body()
            return nil
        } catch {
            return ErrorReport(error)
        }
    }

    // MARK: Adding

    @Test func `a signed store is added with its root, and its products are installed`() async throws {
        let shop = try SignedOrigin()
        let manager = try await home.open()
        let store = try await add(shop, to: manager, fingerprint: shop.fingerprint.uppercased())
        #expect(!store.unsigned && store.products == 1)
        #expect(store.signature?.fingerprint == shop.fingerprint && store.signature?.rootVersion == 1)
        #expect(store.signature?.verifiedAt != nil)
        #expect(try await manager.installed(product).state == .finished)
        let trust = try await manager.stores.trust(in: "shop")
        #expect(trust.signed && trust.refusal == nil && trust.age != nil)
        #expect(trust.roles.map(\.role) == ["root", "timestamp", "snapshot", "targets"])
        #expect(trust.roles.allSatisfy { $0.threshold == 1 && $0.keys.count == 1 && $0.version == 1 })
        await manager.close()
    }

    @Test func `a root with another fingerprint, or of another store, is refused and nothing is added`() async throws {
        let shop = try SignedOrigin()
        let other = try SignedOrigin()
        let manager = try await home.open()
        let wrong = await error { _ = try await add(shop, to: manager, fingerprint: other.fingerprint) }
        #expect(wrong?.code == .trustFingerprint && wrong?.message.contains(shop.fingerprint) == true)
        let invalid = await error { _ = try await add(shop, to: manager, fingerprint: "abc") }
        #expect(invalid?.code == .trustFingerprint)
        let foreign = await error { _ = try await add(shop, to: manager, root: other.root) }
        #expect(foreign?.code == .trustSignature)
        let broken = await error { _ = try await add(shop, to: manager, root: Data("{}".utf8)) }
        #expect(broken?.code == .trustMalformed)
        #expect(await manager.stores.list().isEmpty)
        #expect(try home.data.openDirectory("trust").names().isEmpty)
        await manager.close()
    }

    @Test func `without a root, the fingerprint of the server's root is told, and accepts that root`() async throws {
        let shop = try SignedOrigin()
        let manager = try await home.open()
        let needed = await error {
            _ = try await manager.stores.add(name: "shop", url: shop.origin.url, unsigned: false)
        }
        #expect(needed?.code == .trustRootNeeded && needed?.rootFingerprint == shop.fingerprint)
        #expect(await manager.stores.list().isEmpty)
        let store = try await manager.stores.add(
            name: "shop", url: shop.origin.url, unsigned: false, fingerprint: shop.fingerprint)
        #expect(store.signature?.fingerprint == shop.fingerprint)
        await manager.close()
    }

    @Test func `the root is fetched from a URL`() async throws {
        let shop = try SignedOrigin()
        let elsewhere = try Origin()
        elsewhere.serve("/root.json", Array(shop.root))
        let manager = try await home.open()
        let store = try await manager.stores.add(
            name: "shop", url: shop.origin.url, unsigned: false, root: .url(elsewhere.url("/root.json")))
        #expect(store.signature?.fingerprint == shop.fingerprint)
        let missing = await error {
            _ = try await manager.stores.add(
                name: "other", url: shop.origin.url, unsigned: false, root: .url(elsewhere.url("/none.json")))
        }
        #expect(missing?.code == .trustNoRoot)
        await manager.close()
    }

    // MARK: Requests

    @Test func `a refresh of an unchanged store is one conditional request`() async throws {
        let shop = try SignedOrigin()
        let manager = try await home.open()
        _ = try await add(shop, to: manager)
        let before = shop.origin.requests.count
        #expect(try await manager.stores.refresh().allSatisfy { $0.error == nil })
        let requests = shop.origin.requests.dropFirst(before)
        #expect(requests.map(\.path) == ["/metadata/timestamp.json"])
        #expect(requests.first?.headers["if-none-match"] != nil)
        await manager.close()
    }

    @Test func `a new version is fetched by its hash, and a new root is followed`() async throws {
        let shop = try SignedOrigin()
        let manager = try await home.open()
        _ = try await add(shop, to: manager)
        try shop.rotate(.timestamp)
        try shop.publish { $0.products[0].version = "2" }
        let refreshed = try await manager.stores.refresh()
        #expect(refreshed.first?.error == nil && refreshed.first?.signature?.rootVersion == 2)
        #expect(try await manager.installed(product).state == .finished)
        #expect(shop.origin.requests(to: "/catalogue.json").isEmpty)
        await manager.close()
    }

    // MARK: Attacks

    @Test func `yesterday's metadata is refused, and nothing is installed until it verifies again`() async throws {
        let shop = try SignedOrigin()
        let manager = try await home.open()
        _ = try await add(shop, to: manager)
        try shop.publish()
        _ = try await manager.stores.refresh()
        try shop.publish { $0.version = 0 }
        let store = try #require(try await manager.stores.refresh().first)
        #expect(store.error?.code == .trustRollback && store.error?.hint?.contains("attacking") == true)
        let refused = await error { try await manager.installed(product) }
        #expect(refused?.code == .trustRollback)
        // What is known is still shown.
        #expect(await manager.products.search(.init(words: [])).count == 1)
        try shop.publish { $0.version = 5 }
        #expect(try await manager.installed(product).state == .finished)
        await manager.close()
    }

    @Test func `other bytes than the signed ones are not read`() async throws {
        let shop = try SignedOrigin()
        let manager = try await home.open()
        _ = try await add(shop, to: manager)
        try shop.publish { $0.products[0].version = "2" }
        shop.origin.always(shop.indexPath, .wrongAt(30))
        let store = try #require(try await manager.stores.refresh().first)
        #expect(store.error?.code == .trustHashMismatch)
        #expect(await error { try await manager.installed(product) }?.code == .trustHashMismatch)
        await manager.close()
    }

    // MARK: From unsigned to signed, and never back

    @Test func `an unsigned store becomes a signed one in place and never goes back`() async throws {
        let shop = try SignedOrigin()
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "shop", url: shop.origin.url, unsigned: true, priority: 3)
        try await manager.installed(product)
        #expect(try await manager.stores.trust(in: "shop").signed == false)
        let store = try await add(shop, to: manager)
        #expect(!store.unsigned && store.priority == 3 && store.signature?.fingerprint == shop.fingerprint)
        #expect(try await manager.packs.list().map(\.store) == ["shop"])
        let back = await error {
            _ = try await manager.stores.add(name: "shop", url: shop.origin.url, unsigned: true)
        }
        #expect(back?.code == .trustDowngrade && back?.hint != nil)
        shop.origin.remove("/metadata/timestamp.json")
        let without = try #require(try await manager.stores.refresh().first)
        #expect(without.error?.code == .trustMissing && !without.unsigned)
        await manager.close()
    }

    @Test func `what is trusted survives a restart and a deleted cache, and is removed with the store`() async throws {
        let shop = try SignedOrigin()
        var manager = try await home.open()
        _ = try await add(shop, to: manager)
        try shop.publish()
        _ = try await manager.stores.refresh()
        await manager.close()
        try home.folder.directory.removeTree("cache")
        try shop.publish { $0.version = 0 }
        manager = try await home.open()
        let store = try #require(try await manager.stores.refresh().first)
        #expect(store.error?.code == .trustRollback && store.signature?.fingerprint == shop.fingerprint)
        // The same root again does not forget what was seen.
        #expect(await error { _ = try await add(shop, to: manager) }?.code == .trustRollback)
        try await manager.stores.remove("shop")
        #expect(try home.data.openDirectory("trust").names().isEmpty)
        await manager.close()
    }

    // MARK: Publishers

    @Test func `the products of publishers are merged, and one outside its prefix is left out with a warning`()
        async throws
    {
        let shop = try SignedOrigin {
            $0.publishers = ["ada": "org.ada.", "bob": "org.bob."]
            $0.products += [
                .init(identifier: "org.ada.cats", publisher: "ada"),
                .init(identifier: "org.bob.dogs", publisher: "bob"),
                .init(identifier: "org.bob.fake", publisher: "ada"), .init(identifier: "org.ada.fake"),
            ]
        }
        var manager = try await home.open()
        let store = try await add(shop, to: manager)
        #expect(store.products == 3)
        let warnings = store.signature?.warnings ?? []
        #expect(warnings.contains { $0.contains("org.bob.fake") } && warnings.contains { $0.contains("org.ada.fake") })
        for name in ["org.ada.cats", "org.bob.dogs", product] {
            #expect(try await manager.installed(name).state == .finished)
        }
        #expect(await error { try await manager.installed("org.bob.fake") }?.code == .productUnknown)
        #expect(
            try await manager.stores.trust(in: "shop").publishers.map(\.identifierPrefix) == ["org.ada.", "org.bob."])
        await manager.close()
        // Without the server, the cached parts are merged by the same rules.
        shop.origin.stop()
        manager = try await home.open()
        #expect(await manager.products.search(.init(words: []), isCacheOnly: true).count == 3)
        await manager.close()
    }

    /// Returns a signed store in which the publishers `ada` and `bob` have a product each.
    private func twoPublishers(_ change: (inout SignedOrigin.Content) -> Void) throws -> SignedOrigin {
        try SignedOrigin {
            $0.publishers = ["ada": "org.ada.", "bob": "org.bob."]
            $0.products += [
                .init(identifier: "org.ada.cats", publisher: "ada"),
                .init(identifier: "org.bob.dogs", publisher: "bob"),
            ]
            change(&$0)
        }
    }

    @Test func `one publisher's broken metadata does not affect the others`() async throws {
        let shop = try twoPublishers { $0.forged = ["bob"] }
        let manager = try await home.open()
        let store = try await add(shop, to: manager)
        #expect(store.products == 2 && store.error == nil)
        #expect(store.signature?.warnings.contains { $0.contains("'bob'") } == true)
        #expect(try await manager.installed("org.ada.cats").state == .finished)
        try shop.publish { $0.forged = [] }
        #expect(try await manager.installed("org.bob.dogs").state == .finished)
        await manager.close()
    }

    @Test func `a publisher of whom nothing was accepted yet is not warned of`() async throws {
        let shop = try twoPublishers { $0.unaccepted = ["bob"] }
        let manager = try await home.open()
        let store = try await add(shop, to: manager)
        #expect(store.products == 2 && store.signature?.warnings == [], "\(store)")
        try shop.publish { $0.unaccepted = [] }
        #expect(try await manager.stores.refresh().map(\.products) == [3])
        await manager.close()
    }

    // MARK: Age

    private static let day: TimeInterval = 86_400

    @Test func `the age of the last verification is warned of, and then nothing is installed`() async throws {
        let clock = SettableClock()
        let shop = try SignedOrigin { $0.lifetime = 400 * Self.day }
        let manager = try await home.open(EngineHome.always, clock: clock.source)
        _ = try await add(shop, to: manager)
        try await manager.installed(product)
        shop.origin.stop()
        clock.date += 5 * Self.day
        let found = await manager.products.search(.init(words: []))
        #expect(found.count == 1 && found.warnings.contains { $0.contains("was last verified on") })
        #expect(try await manager.stores.trust(in: "shop").refusal == nil)
        clock.date += 10 * Self.day
        #expect(await error { _ = try await manager.installs.install("org.shop.mugs", store: "shop") } != nil)
        #expect(try await manager.stores.trust(in: "shop").refusal?.code == .trustStale)
        // The clock that is set back does not make it young again.
        clock.date -= 14 * Self.day
        #expect(try await manager.stores.trust(in: "shop").refusal?.code == .trustStale)
        #expect(try await manager.packs.list().count == 1)
        await manager.close()
        let later = try await home.open(EngineHome.always, clock: clock.source)
        #expect(try await later.stores.trust(in: "shop").refusal?.code == .trustStale)
        await later.close()
    }

    @Test func `metadata that was not renewed is told from an attack, and nothing is installed`() async throws {
        let clock = SettableClock()
        let shop = try SignedOrigin()
        let manager = try await home.open(EngineHome.always, clock: clock.source)
        _ = try await add(shop, to: manager)
        clock.date += 2 * Self.day
        let store = try #require(try await manager.stores.refresh().first)
        #expect(store.error?.code == .trustExpired && store.error?.hint?.contains("publisher to renew") == true)
        #expect(await error { try await manager.installed(product) }?.code == .trustExpired)
        // Offline, the stored metadata has expired as well.
        shop.origin.stop()
        clock.date -= 3 * Self.day
        #expect(try await manager.stores.trust(in: "shop").refusal?.code == .trustExpired)
        await manager.close()
    }

    @Test func `adding a store again with its root forgets the time of a clock that was too far ahead`() async throws {
        let clock = SettableClock()
        let shop = try SignedOrigin()
        let manager = try await home.open(EngineHome.always, clock: clock.source)
        _ = try await add(shop, to: manager)
        clock.date += 2 * Self.day
        _ = try await manager.stores.refresh()
        clock.date -= 2 * Self.day
        #expect(await error { try await manager.installed(product) }?.code == .trustExpired)
        // An attempt that fails forgets nothing.
        shop.origin.always("/metadata/timestamp.json", .status(404))
        #expect(await error { _ = try await add(shop, to: manager) } != nil)
        #expect(try await manager.stores.trust(in: "shop").refusal?.code == .trustExpired)
        shop.origin.always("/metadata/timestamp.json")
        _ = try await add(shop, to: manager)
        #expect(try await manager.stores.trust(in: "shop").refusal == nil)
        try await manager.installed(product)
        await manager.close()
        // The time is forgotten on the disk, too, though the last saved verification is not older than this one.
        let later = try await home.open(EngineHome.always, clock: clock.source)
        #expect(try await later.stores.trust(in: "shop").refusal == nil)
        await later.close()
    }
}
