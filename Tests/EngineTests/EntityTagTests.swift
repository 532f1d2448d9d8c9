import FoundationEssentials
import StoreModel
import StoreSettings
import StoreTestSupport
import Testing

@testable import StoreEngine

/// Updates from stores without versions and hashes, where only the server's entity tags show that a file changed.
@Suite(.hangGuard) struct EntityTagTests {
    private static let count = 11
    private let home: EngineHome
    private let store: FileStore
    private let origin: Origin

    init() throws {
        (home, store, origin) = (try EngineHome(), try FileStore(), try Origin())
        store.products = (0..<Self.count).map { .init("p\($0)") }
        try store.publish()
        origin.serve(folder: store.folder.path)
    }

    /// The number of requests for an entity tag so far.
    private var requests: Int { origin.requests.count { $0.method == "HEAD" } }

    @Test func `entity tags are requested at once, but only some of them`() async throws {
        // More connections than requests at once.
        let manager = try await home.open(EngineHome.always.merging([.networkConnectionsPerHost: "32"]) { $1 })
        _ = try await manager.stores.add(name: "main", url: origin.url, unsigned: true)
        for product in store.products { #expect(try await manager.installed(product.identifier).state == .finished) }
        // As many bytes as before.
        store["p7"].files = ["1.txt": "two"]
        try store.publish()
        for product in store.products { origin.always("/content/" + product.archive, .stallBeforeAnswer) }
        async let available = manager.updates.available()
        await origin.untilStalled(8)
        try await eventually { await manager.updates.entityTagRequests.waitingCount == Self.count - 8 }
        #expect(requests == 8)
        origin.release()
        let found = try await available
        #expect(found.updates.map(\.productIdentifier) == ["p7"] && found.warnings.isEmpty)
        #expect(requests == Self.count)
        await manager.close()
    }

    @Test func `looking for updates ends when it is cancelled, although a server does not respond`() async throws {
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "main", url: origin.url, unsigned: true)
        try await manager.installed("p1")
        origin.always("/content/p1.zip", .stallBeforeAnswer)
        let available = Task { try await manager.updates.available().updates.count }
        await origin.untilStalled()
        available.cancel()
        _ = await available.result
        origin.release()
        await manager.close()
    }

    @Test func `entity tags are requested with the store's token, and a refusal is an error`() async throws {
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "main", url: origin.url, unsigned: true, token: "secret")
        try await manager.installed("p1")
        store["p1"].files = ["1.txt": "two"]
        try store.publish()
        #expect(try await manager.updates.available().updates.map(\.productIdentifier) == ["p1"])
        let asked = origin.requests.filter { $0.method == "HEAD" }
        #expect(asked.count == 1 && asked[0].headers["authorization"] == "Bearer secret")
        origin.always("/content/p1.zip", .status(403))
        let found = try await manager.updates.available()
        #expect(found.updates.isEmpty && found.error?.code.exitCode == .network)
        #expect(try await manager.updated(["p1"])["p1"]??.code.exitCode == .network)
        await manager.close()
    }
}
