import FoundationEssentials
import StoreCatalogue
import StoreEngine
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Changes of the list of stores that can't be written, as on a full disk.
@Suite struct UnwritableStoreListTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    private var config: Directory { get throws { try home.folder.directory.openDirectory("config") } }

    /// Makes the next changes of a file fail, whose temporary file can't be created.
    private func block(_ file: String) throws { _ = try config.createDirectory(file + ".new/in the way") }
    private func unblock(_ file: String) throws { try config.removeTree(file + ".new") }

    private func add(
        _ store: FileStore, to manager: StoreManager, as name: String, priority: Int = 0, token: String? = nil
    ) async throws {
        _ = try await manager.stores.add(name: name, url: store.url, unsigned: true, priority: priority, token: token)
    }

    @Test(arguments: ["stores.json", "credentials.json"])
    func `a store that can't be saved is not added`(file: String) async throws {
        let store = try FileStore(.init("a"))
        let manager = try await home.open()
        try block(file)
        #expect(await failure { try await add(store, to: manager, as: "main", token: "s3cret") } == .fileFailed)
        #expect(await manager.stores.list().isEmpty)
        #expect(await manager.products.search(CatalogueQuery()).products.isEmpty)
        #expect(await failure { try await manager.installed("a") } == .productUnknown)
        #expect(try home.folder.directory.openDirectory("cache/catalogues").names().isEmpty)
        try unblock(file)
        #expect(try config.names().filter { !$0.hasPrefix("settings") } == [])
        try await add(store, to: manager, as: "main", token: "s3cret")
        #expect(try await manager.installed("a").state == .finished)
        await manager.close()
        let reopened = try await home.open()
        #expect(await reopened.stores.list().map(\.name) == ["main"])
        await reopened.close()
    }

    @Test(arguments: ["stores.json", "credentials.json"])
    func `a store whose removal can't be saved stays, with its token`(file: String) async throws {
        let (store, other) = (try FileStore(.init("a")), try FileStore(.init("b")))
        let manager = try await home.open()
        try await add(store, to: manager, as: "main", token: "s3cret")
        try await add(other, to: manager, as: "other", token: "0ther")
        let tokens = try config.text("credentials.json")
        try block(file)
        #expect(await failure { try await manager.stores.remove("main") } == .fileFailed)
        #expect(await manager.stores.list().map(\.name) == ["main", "other"])
        #expect(try config.text("credentials.json") == tokens)
        #expect(try await manager.installed("a").state == .finished)
        await manager.close()
        try unblock(file)
        let reopened = try await home.open()
        #expect(await reopened.stores.list().map(\.name) == ["main", "other"])
        try await reopened.stores.remove("main")
        #expect(try config.text("credentials.json") == #"{"tokens":{"other":"0ther"}}"#)
        await reopened.close()
    }

    @Test func `a priority that can't be saved does not apply`() async throws {
        let store = try FileStore(.init("a"))
        let manager = try await home.open(using: store)
        try block("stores.json")
        #expect(await failure { try await add(store, to: manager, as: "main", priority: 7) } == .fileFailed)
        #expect(await manager.stores.list().map(\.priority) == [0])
        await manager.close()
    }

    @Test func `a token that is left of another store is never used`() async throws {
        _ = try home.folder.directory.createDirectory("config")
        let store = try FileStore(.init("a"))
        try config.put("credentials.json", #"{"tokens":{"main":"left"}}"#)
        let manager = try await home.open()
        #expect(try !config.names().contains("credentials.json"))
        try config.put("credentials.json", #"{"tokens":{"main":"left"}}"#)
        try await add(store, to: manager, as: "main")
        #expect(try !config.names().contains("credentials.json"))
        await manager.close()
    }
}
