import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Tests the user's limit for the size of all packs.
@Suite(.hangGuard) struct LibraryLimitTests {
    @Test func `a pack whose store states the largest size is refused`() async throws {
        let home = try EngineHome()
        let settings = EngineHome.always.merging([.libraryMaximumSize: "1000000"]) { $1 }
        let manager = try await home.open(using: FileStore(.init("b")), settings)
        try await manager.installed("b")
        let store = try TableStore(TableStore.images(1), sizes: .max)
        _ = try await manager.stores.add(name: "large", url: store.origin.url, unsigned: true, priority: 0)
        let status = try await manager.installed("a")
        #expect(status.state == .failed && status.error?.code == .libraryLimit, "\(status)")
        await manager.close()
    }
}
