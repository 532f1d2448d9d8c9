import FoundationEssentials
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import Testing

/// Sources of a pack's bytes: the archive cache, the store, its mirrors.
@Suite struct SourcesTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    private func archives() throws -> [String] { try home.folder.directory.openDirectory("cache/archives").names() }

    private func open(_ store: TableStore, _ settings: [SettingKey: String] = EngineHome.keeping) async throws
        -> StoreManager
    {
        let manager = try await home.open(settings)
        _ = try await manager.stores.add(name: "main", url: store.origin.url, unsigned: true, priority: 0)
        return manager
    }

    @Test func `an archive in the cache is not fetched again`() async throws {
        let store = try TableStore(TableStore.images(5))
        let manager = try await open(store)
        try await manager.installed("a")
        #expect(try archives() == [SHA256Digest(of: store.zip).hex])
        _ = try await manager.packs.uninstall("a")
        let status = try await manager.installed("a")
        #expect(status.state == .finished)
        #expect(status.bytesReceived == store.zip.count && status.bytesExpected == store.zip.count)
        #expect(store.asked().count == 1)
        #expect(try await manager.packs.verify("a").isEmpty)
        #expect(try home.isClear())
        // Another store with the same file fills the cache as well.
        _ = try await manager.packs.uninstall("a")
        let other = try TableStore(TableStore.images(5))
        _ = try await manager.stores.add(name: "other", url: other.origin.url, unsigned: true, priority: 1)
        #expect(try await manager.installed("a").store == "other")
        #expect(other.asked().isEmpty)
        await manager.close()
    }

    @Test func `a damaged archive in the cache is fetched again`() async throws {
        let store = try TableStore(TableStore.images(5))
        let manager = try await open(store)
        try await manager.installed("a")
        _ = try await manager.packs.uninstall("a")
        let name = SHA256Digest(of: store.zip).hex
        var damaged = store.zip
        damaged[100] ^= 1
        try home.folder.directory.put("cache/archives/" + name, Data(damaged))
        #expect(try await manager.installed("a").state == .finished)
        #expect(store.asked().count == 2)
        #expect(try home.folder.directory.read("cache/archives/" + name) == Data(store.zip))
        await manager.close()
    }

    @Test func `a repair uses the archive in the cache`() async throws {
        let store = try TableStore(TableStore.images(5))
        let manager = try await open(store)
        try await manager.installed("a")
        try home.packs.put("a.stickers/3.png", "?")
        store.origin.stop()
        #expect(try await manager.end(of: manager.packs.repair("a")).state == .finished)
        #expect(try await manager.packs.verify("a").isEmpty)
        await manager.close()
    }

    @Test func `a setting empties the archive cache at once`() async throws {
        let store = try TableStore(TableStore.images(5))
        let manager = try await home.open([.catalogueRefreshAfter: "0"])
        _ = try await manager.stores.add(name: "main", url: store.origin.url, unsigned: true, priority: 0)
        try await manager.installed("a")
        #expect(try archives().count == 1)
        _ = try await manager.set(.downloadsKeptArchives, to: "0")
        #expect(try archives().isEmpty)
        await manager.close()
    }

    @Test func `a mirror is used without a wait where the store fails`() async throws {
        let mirror = try Origin()
        let store = try TableStore(TableStore.images(5), mirrors: [mirror.url("/a.zip")])
        mirror.serve("/a.zip", store.zip)
        store.origin.always(TableStore.archive, .status(500))
        // A delay would be long.
        let manager = try await open(store, [.downloadsRetryDelay: "3600000", .downloadsKeptArchives: "0"])
        let events = try manager.events.subscribe(after: manager.events.lastSequence, filter: .product("a"))
        let status = try await manager.installed("a")
        #expect(status.state == .finished && status.attempt == 1)
        #expect(store.asked().count == 1 && mirror.requests.count == 1)
        var sources: Set<String> = []
        for try await event in events {
            guard case .download(let status) = event.event.happening else { continue }
            if status.state.isEnd { break }
            if let source = status.source { sources.insert(source) }
        }
        #expect(sources == [mirror.url("/a.zip").absoluteString])
        // A partial repair uses the mirrors as well.
        try home.packs.put("a.stickers/3.png", "?")
        #expect(try await manager.end(of: manager.packs.repair("a")).state == .finished)
        let repairs = mirror.requests(to: "/a.zip").dropFirst()
        #expect(repairs.count == 1 && repairs.first?.range != nil)
        #expect(try await manager.packs.verify("a").isEmpty)
        await manager.close()
    }

    @Test func `a mirror that is down delays no repair from a store without ranges`() async throws {
        let mirror = try Origin()
        let store = try TableStore(TableStore.images(20), mirrors: [mirror.url("/a.zip")])
        mirror.stop()
        let manager = try await open(store, [.downloadsRetryDelay: "3600000", .downloadsKeptArchives: "0"])
        try await manager.installed("a")
        store.origin.always(TableStore.archive, .ignoreRange)
        try home.packs.put("a.stickers/3.png", "?")
        let status = try await manager.end(of: manager.packs.repair("a"))
        #expect(status.state == .finished && status.attempt == 1, "\(String(describing: status.error))")
        #expect(try await manager.packs.verify("a").isEmpty)
        await manager.close()
    }

    @Test func `an archive with a wrong hash is the error, whether or not a mirror is down`() async throws {
        for isDown in [true, false] {
            let home = try EngineHome()
            let mirror = try Origin()
            let store = try TableStore(TableStore.images(5), mirrors: [mirror.url("/a.zip")])
            store.origin.serve(TableStore.archive, OriginBytes.random(store.zip.count, seed: 99))
            if isDown { mirror.stop() } else { mirror.always("/a.zip", .status(500)) }
            let manager = try await home.open(
                EngineHome.always.merging([
                    .downloadsRetryDelay: "1", .downloadsContactTimeout: "3600", .downloadsOutageTimeout: "3600",
                ]) { $1 })
            _ = try await manager.stores.add(name: "main", url: store.origin.url, unsigned: true, priority: 0)
            let status = try await manager.installed("a")
            #expect(status.error?.code == .contentHashMismatch, "\(String(describing: status.error))")
            #expect(try await manager.history.operations(of: "a").first?.error?.code == .contentHashMismatch)
            await manager.close()
        }
    }

    @Test func `a repair finds the entry table at a mirror while the store is down`() async throws {
        let mirror = try Origin()
        let store = try TableStore(TableStore.images(20), mirrors: [mirror.url("/copy/a.zip")])
        mirror.serve("/copy/a.zip", store.zip)
        mirror.serve("/copy" + TableStore.table, Array(try JSON.encode(store.entries)))
        let manager = try await open(store, [.downloadsRetryDelay: "3600000", .downloadsKeptArchives: "0"])
        try await manager.installed("a")
        store.origin.stop()
        try home.packs.put("a.stickers/3.png", "?")
        let status = try await manager.end(of: manager.packs.repair("a"))
        #expect(status.state == .finished && status.attempt == 1, "\(String(describing: status.error))")
        #expect(mirror.requests.map(\.path) == ["/copy" + TableStore.table, "/copy/a.zip"])
        #expect(mirror.requests.last?.range != nil)
        #expect(try await manager.packs.verify("a").isEmpty)
        await manager.close()
    }

    @Test func `the wait between attempts is limited by a setting`() async throws {
        let store = try TableStore(TableStore.images(5))
        store.origin.script(TableStore.archive, [[.status(500)]])
        let manager = try await open(
            store,
            [.downloadsRetryDelay: "3600000", .downloadsRetryLongestDelay: "0", .downloadsKeptArchives: "0"])
        let status = try await manager.installed("a")
        #expect(status.state == .finished && status.attempt == 2)
        await manager.close()
    }

    @Test func `the size of a catalogue is limited by a setting`() async throws {
        let store = try TableStore(TableStore.images(5))
        let large = try FileStore(FileStore.Product("b", ["1.txt": String(repeating: "b", count: 5000)]))
        let manager = try await home.open(
            using: large, EngineHome.always.merging([.downloadsMaximumSize: "3000"]) { $1 })
        _ = try await manager.stores.add(name: "web", url: store.origin.url, unsigned: true, priority: 0)
        let status = try await manager.installed("a")
        #expect(status.error?.code == .archiveLimit && status.error?.code.exitCode == .space)
        #expect(store.asked().isEmpty, "what is said to be too large is not asked for")
        #expect(try await manager.installed("b").error?.code == .archiveLimit)
        #expect(try home.isClear())
        await manager.close()
    }

    // MARK: Credentials

    @Test func `a token is sent to the store and nowhere else`() async throws {
        let elsewhere = try Origin()
        let store = try TableStore(TableStore.images(5), mirrors: [elsewhere.url("/a.zip")])
        elsewhere.serve("/a.zip", store.zip)
        elsewhere.serve("/moved.zip", store.zip)
        store.origin.script(TableStore.archive, [[.redirect(to: elsewhere.url("/moved.zip").absoluteString)]])
        let manager = try await home.open()
        _ = try await manager.stores.add(
            name: "main", url: store.origin.url, unsigned: true, priority: 0, token: "s3cret")
        try await manager.installed("a")
        let own = store.origin.requests
        #expect(own.count > 2 && own.allSatisfy { $0.headers["authorization"] == "Bearer s3cret" })
        #expect(elsewhere.requests.count == 1 && elsewhere.requests[0].headers["authorization"] == nil)

        // The token is not sent to a mirror either.
        _ = try await manager.packs.uninstall("a")
        store.origin.always(TableStore.archive, .status(500))
        try await manager.installed("a")
        #expect(elsewhere.requests.count == 2 && elsewhere.requests[1].headers["authorization"] == nil)
        await manager.close()

        let config = try home.folder.directory.openDirectory("config")
        #expect(try config.status(of: "credentials.json")?.permissions == 0o600)
        #expect(try !config.text("stores.json").contains("s3cret"))
        for entry in try home.folder.directory.openDirectory("data").entries() where entry.kind == .file {
            let content = try home.folder.directory.read("data/" + entry.name)
            #expect(content.firstRange(of: Data("s3cret".utf8)) == nil, "\(entry.name)")
        }

        // The token is stored, and removed together with the store.
        let again = try await home.open()
        let before = store.origin.requests.count
        _ = try await again.stores.refresh()
        let later = store.origin.requests.dropFirst(before)
        #expect(!later.isEmpty && later.allSatisfy { $0.headers["authorization"] == "Bearer s3cret" })
        try await again.stores.remove("main")
        #expect(try !config.has("credentials.json"))
        await again.close()
    }

    @Test func `a rejected token leaves the present one`() async throws {
        let store = try TableStore(TableStore.images(5))
        let manager = try await home.open()
        for token in ["", "a b", "a\nX: y", "\u{e9}"] {
            let code = await failure {
                _ = try await manager.stores.add(
                    name: "main", url: store.origin.url, unsigned: true, priority: 0, token: token)
            }
            #expect(code == .storeBadCredentials, "'\(token)'")
        }
        store.origin.always("/catalogue.json", .status(401))
        let code = await failure {
            _ = try await manager.stores.add(
                name: "main", url: store.origin.url, unsigned: true, priority: 0, token: "wrong")
        }
        #expect(code == .transferHTTPStatus)
        #expect(try !home.folder.directory.has("config/credentials.json"))
        await manager.close()
    }

    @Test func `user and password come from the netrc file`() async throws {
        let store = try TableStore(TableStore.images(5))
        try home.folder.directory.put(".netrc", "machine 127.0.0.1 login ana password geheim\n")
        let manager = try await home.open(environment: ["HOME": home.folder.path])
        _ = try await manager.stores.add(name: "main", url: store.origin.url, unsigned: true, priority: 0, netrc: true)
        try await manager.installed("a")
        let basic = "Basic " + Data("ana:geheim".utf8).base64EncodedString()
        #expect(store.origin.requests.allSatisfy { $0.headers["authorization"] == basic })
        await manager.close()
        let other = try EngineHome()
        let without = try await other.open(environment: ["HOME": home.folder.path + "/nowhere"])
        let code = await failure {
            _ = try await without.stores.add(
                name: "main", url: store.origin.url, unsigned: true, priority: 0, netrc: true)
        }
        #expect(code == .storeBadCredentials)
        await without.close()
    }
}
