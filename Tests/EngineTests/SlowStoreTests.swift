import FoundationEssentials
import StoreCatalogue
import StoreEngine
import StoreModel
import StoreSettings
import StoreTestSupport
import Synchronization
import Testing

/// A store that delivers its catalogue extremely slowly, beside one that does not.
@Suite(.hangGuard) struct SlowStoreTests {
    private let home: EngineHome
    private let (good, bad): (FileStore, FileStore)
    private let origin: Origin
    /// The names of the waits that end at once.
    private let passing = PassingWaits()

    init() throws {
        home = try EngineHome()
        (good, bad) = (try FileStore(.init("a")), try FileStore(.init("b"), .init("c")))
        origin = try Origin()
        origin.serve(folder: bad.folder.path)
    }

    private func open() async throws -> StoreManager {
        let manager = try await home.open(clock: passing.clock)
        try await manager.use(good, as: "good")
        _ = try await manager.stores.add(name: "slow", url: origin.url, unsigned: true, priority: 0)
        origin.always("/catalogue.json", .stallBeforeAnswer)
        return manager
    }

    @Test func `a slow store delays neither search nor info nor install`() async throws {
        let manager = try await open()
        passing.pass("store slow")
        let found = await manager.products.search(CatalogueQuery())
        #expect(Set(found.products.map(\.productIdentifier)) == ["a", "b", "c"])
        #expect(found.warnings.count == 1 && found.warnings[0].contains("'slow'"))
        let overview = try await manager.products.product("a", store: nil, languages: [])
        #expect(overview.store == "good" && overview.warnings == found.warnings)
        let installation = try await manager.installs.install("a", store: nil)
        #expect(installation.warnings == found.warnings)
        #expect(try await manager.end(of: installation).state == .finished)
        // Its own products are known from the cache.
        #expect(try await manager.installs.install("b", store: nil).download?.store == "slow")
        #expect(origin.requests(to: "/catalogue.json").count == 2, "all requests share one fetch")
        // The fetch goes on, and its result is used.
        passing.stop()
        origin.release()
        #expect(try await manager.stores.refresh(["slow"]).map(\.error) == [nil])
        #expect(await manager.products.search(CatalogueQuery()).warnings.isEmpty)
        await manager.close()
    }

    @Test func `a product that is installed while its details are fetched is described as installed`() async throws {
        try bad.folder.directory.put(
            "catalogue.json",
            #"[{"productIdentifier":"b","productType":"sticker","productResourceURL":"content/b.zip","#
                + #""productDetailsURL":"details.json"}]"#)
        origin.always("/details.json", .stallBeforeAnswer)
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "main", url: origin.url, unsigned: true)
        async let overview = manager.products.product("b", store: nil, languages: [])
        await origin.untilStalled()
        #expect(try await manager.installed("b").state == .finished)
        origin.release()
        let found = try await overview
        #expect(found.state.first == .downloaded && found.pack?.productIdentifier == "b" && found.isVerifiable)
        await manager.close()
    }

    @Test func `a pack that is removed or held while its catalogue is fetched is not updated`() async throws {
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "main", url: origin.url, unsigned: true)
        try await manager.installed("c")
        for (number, named) in [nil, ["b"]].enumerated() {
            try await manager.installed("b")
            // Another address is a newer version.
            for identifier in ["b", "c"] { bad[identifier].archive = "\(identifier)-\(number).zip" }
            try bad.publish()
            origin.hold()
            origin.script("/catalogue.json", [[.stallBeforeAnswer]])
            async let updated = manager.updated(named)
            await origin.untilStalled()
            _ = try await manager.packs.uninstall("b")
            _ = try await manager.packs.setHeld("c", true)
            origin.release()
            let outcomes = try await updated
            #expect(outcomes.mapValues { $0?.code } == (named == nil ? [:] : ["b": .packMissing]))
            #expect(try await manager.packs.list().map(\.productIdentifier) == ["c"])
        }
        await manager.close()
    }

    @Test func `stores of one name are added one after another`() async throws {
        let manager = try await home.open()
        origin.always("/catalogue.json", .stallBeforeAnswer)
        async let first = manager.stores.add(name: "main", url: origin.url, unsigned: true)
        await origin.untilStalled()
        let second = Task { await failure { try await manager.use(good) } }
        for _ in 0..<1_000 { await Task.yield() }
        origin.release()
        #expect(try await first.url == origin.url)
        #expect(await second.value == .storeExists)
        #expect(await manager.stores.list().map(\.url) == [origin.url])
        await manager.close()
    }

    @Test func `a product that only a slow store may have is reported with the store's name`() async throws {
        await (try open()).close()
        try home.folder.directory.removeTree("cache")
        let manager = try await home.open(clock: passing.clock)
        passing.pass("store slow")
        do {
            _ = try await manager.installs.install("b", store: nil)
            Issue.record("it was installed")
        } catch let error as StoreError {
            #expect(error.code == .storeUnavailable && error.code.exitCode == .network)
            #expect(error.message.contains("'slow'"))
        }
        #expect(try await manager.installed("a").state == .finished)
        origin.release()
        await manager.close()
    }

    @Test func `a product that is in no cached catalogue may be in a store that did not respond`() async throws {
        let manager = try await open()
        passing.pass("store slow")
        await #expect {
            _ = try await manager.installs.install("unknown", store: nil)
        } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.code == .productUnknown && error.message.contains("store 'slow' may be out of date")
        }
        origin.release()
        await manager.close()
    }

    @Test func `a store that stops within its catalogue does not delay updates from other stores`() async throws {
        let manager = try await home.open(clock: passing.clock)
        try await manager.use(good, as: "good")
        _ = try await manager.stores.add(name: "slow", url: origin.url, unsigned: true, priority: 0)
        for product in ["a", "b"] { #expect(try await manager.installed(product).state == .finished) }
        good["a"].files = ["1.txt": "number two"]
        try good.publish()
        origin.always("/catalogue.json", .stallAfter(1))
        passing.pass("store slow")
        let available = try await manager.updates.available()
        #expect(available.updates.map(\.productIdentifier) == ["a"])
        #expect(available.warnings.count == 1 && available.warnings[0].contains("'slow'"))
        let outcomes = try await manager.updates.update(nil)
        let errors = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.productIdentifier, $0.error?.code) })
        #expect(errors == ["a": nil, "b": .storeSlow])
        origin.release()
        await manager.close()
    }

    @Test func `a setting changed during a fetch does not begin another one`() async throws {
        let manager = try await open()
        bad.products.append(.init("d"))
        try bad.publish()
        async let refreshed = manager.stores.refresh(["slow"])
        await origin.untilStalled()
        _ = try await manager.set(.downloadsAttempts, to: "9")
        passing.pass("store slow")
        #expect(await manager.products.search(CatalogueQuery()).warnings.count == 1)
        passing.stop()
        origin.release()
        let refreshedStores = try await refreshed
        #expect(refreshedStores.map(\.error) == [nil])
        // The fetch that began before the change is the only one, and its result is used.
        #expect(await manager.stores.list().map(\.products) == [1, 3])
        #expect(origin.requests(to: "/catalogue.json").count == 2)
        await manager.close()
    }

    @Test func `the limits of a catalogue apply to the cached one when they are changed`() async throws {
        let manager = try await open()
        #expect(await manager.stores.list().map(\.products) == [1, 2])
        _ = try await manager.set(.catalogueMaximumProducts, to: "1")
        #expect(await manager.stores.list().map(\.products) == [1, 0])
        _ = try await manager.set(.catalogueMaximumProducts, to: "2")
        #expect(await manager.stores.list().map(\.products) == [1, 2])
        await manager.close()
    }

    @Test func `a setting that is changed while a store is added applies to that store`() async throws {
        let manager = try await home.open()
        origin.always("/catalogue.json", .stallBeforeAnswer)
        async let added = manager.stores.add(name: "slow", url: origin.url, unsigned: true)
        await origin.untilStalled()
        _ = try await manager.set(.catalogueMaximumProducts, to: "1")
        origin.release()
        #expect(try await added.products == 0)
        _ = try await manager.set(.catalogueMaximumProducts, to: "2")
        #expect(await manager.stores.list().map(\.products) == [2])
        await manager.close()
    }

    @Test func `fetching a catalogue ends after a time limit`() async throws {
        let manager = try await open()
        passing.pass("catalogue slow")
        let summaries = try await manager.stores.refresh()
        #expect(summaries.map(\.error?.code) == [nil, .storeSlow])
        #expect(summaries.map(\.products) == [1, 2])
        // The next request begins another fetch.
        passing.stop()
        origin.release()
        #expect(try await manager.stores.refresh().map(\.error) == [nil, nil])
        await manager.close()
    }
}

/// A clock on which the waits of some names end at once, and others last as long as they should.
private final class PassingWaits: Sendable {
    private let names = Mutex<Set<String>>([])

    func pass(_ name: String) { names.withLock { _ = $0.insert(name) } }

    func stop() { names.withLock { $0 = [] } }

    var clock: TimeSource {
        let system = TimeSource.system
        return TimeSource(
            date: system.date, now: system.now,
            sleep: { [self] duration, name in
                if names.withLock({ $0.contains(name) }) { return }
                try await system.sleep(duration, name)
            }, jitter: system.jitter)
    }
}
