import FoundationEssentials
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import Testing

/// Changes of waiting downloads, while another download is held by the kind's check.
@Suite(.hangGuard)
struct ControlTests {
    private let home: EngineHome
    private let blocking = BlockingKind()
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(.init("a"), .init("base"), .init("app", dependencies: ["base"]))
    }

    /// Opens a home in which `a` occupies the only slot.
    private func open() async throws -> StoreManager {
        let overrides = EngineHome.always.merging([.downloadsMaximumAtOnce: "1"]) { $1 }
        let manager = try await home.open(using: store, overrides, kinds: [blocking])
        _ = try await manager.installs.install("a", store: nil)
        await blocking.untilBlocked()
        return manager
    }

    @Test func `a dependency is paused alone, and its dependent is cancelled at once`() async throws {
        let manager = try await open()
        let app = try #require(try await manager.installs.install("app", store: nil).operation)
        let paused = try await manager.downloads.change("base", paused: true)
        #expect(paused.activity == .paused && paused.reason == "paused by the user")
        #expect(try await manager.downloads.status(of: "app").activity == .waiting)
        #expect(await manager.downloads.isBusy, "a check is blocked")
        // A second request joins the waiting download without a change, and returns its status.
        let joined = try await manager.installs.install("base", store: nil)
        #expect(joined.joined && joined.operation == paused.operation && joined.download?.activity == .paused)
        #expect(try await manager.downloads.cancel("app").state == .cancelled)
        #expect(try await manager.history.operation(app).end == .cancelled)
        blocking.release()
        #expect(try await manager.downloads.change("base", paused: false).activity != .paused)
        #expect(try await manager.end(of: paused.operation).state == .finished)
        await manager.close()
        #expect(try home.isClear())
    }

    @Test func `an update that names no pack leaves paused updates alone`() async throws {
        let before = try await home.open(using: store)
        try await before.installed("base")
        await before.close()
        let overrides = EngineHome.always.merging([.downloadsMaximumAtOnce: "1"]) { $1 }
        let manager = try await home.open(overrides, kinds: [blocking])
        _ = try await manager.installs.install("a", store: nil)
        await blocking.untilBlocked()
        store["base"].archive = "base-2.zip"
        try store.publish()
        let operation = try #require(try await manager.updates.update(["base"]).first?.operation)
        _ = try await manager.downloads.change("base", paused: true)
        #expect(try await manager.updates.available().updates.map(\.heldBack) == ["its update is paused"])
        #expect(try await manager.updates.update(nil).isEmpty)
        #expect(try await manager.updates.update(["base"]).map(\.operation) == [operation])
        blocking.release()
        _ = try await manager.downloads.change("base", paused: false)
        #expect(try await manager.end(of: operation).state == .finished)
        await manager.close()
    }

    @Test func `a home with only paused downloads is idle`() async throws {
        let manager = try await open()
        _ = try await manager.installs.install("app", store: nil)
        _ = try await manager.downloads.change("base", paused: true)
        let operation = try await manager.downloads.status(of: "a").operation
        #expect(await manager.downloads.isBusy)
        blocking.release()
        _ = try await manager.end(of: operation)
        // A download that waits for a paused one is idle as well.
        #expect(try await manager.downloads.status(of: "app").activity == .waiting)
        #expect(await !manager.downloads.isBusy)
        await manager.close()
    }

    @Test func `a dependency has the priority of its dependent`() async throws {
        let manager = try await open()
        let base = try #require(try await manager.installs.install("base", store: nil).operation)
        #expect(try await manager.downloads.status(of: "base").priority == 0)
        _ = try await manager.installs.install("app", store: nil, priority: 7)
        #expect(try await manager.downloads.status(of: "base").priority == 7)
        #expect(try await manager.downloads.status(of: "base").operation == base)
        #expect(try await manager.downloads.status(of: "app").priority == 7)
        // A dependent of lower priority does not lower it.
        #expect(try await manager.downloads.cancel("app").state == .cancelled)
        _ = try await manager.installs.install("app", store: nil, priority: -7)
        #expect(try await manager.downloads.status(of: "base").priority == 7)
        #expect(try await manager.downloads.status(of: "app").priority == -7)
        // A request for the dependency itself sets the priority.
        _ = try await manager.installs.install("base", store: nil, priority: 1)
        #expect(try await manager.downloads.status(of: "base").priority == 1)
        #expect(try await manager.downloads.change("base", paused: true, priority: 0).priority == 0)
        #expect(try await manager.downloads.status(of: "base").activity == .paused)
        blocking.release()
        await manager.close()
    }

    @Test func `a pack that is being committed is not paused`() async throws {
        let manager = try await open()
        let status = try await manager.downloads.change("a", paused: true)
        #expect(status.activity == .unpacking && status.reason == nil)
        // The next start must not find a pause that was not acknowledged.
        let copy = try TemporaryFolder()
        for part in try home.folder.directory.names() {
            try FileManager.default.copyItem(atPath: home.folder.path + "/" + part, toPath: copy.path + "/" + part)
        }
        let other = try await EngineHome(copy).open()
        if try await other.history.operation(status.operation).end == nil {
            _ = try await other.end(of: status.operation)
        }
        #expect(try await other.history.operation(status.operation).end == .finished)
        await other.close()
        blocking.release()
        #expect(try await manager.end(of: status.operation).state == .finished)
        await manager.close()
    }

    @Test func `the last of many simultaneous changes takes effect`() async throws {
        let manager = try await open()
        let operation = try #require(try await manager.installs.install("base", store: nil).operation)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 {
                group.addTask {
                    _ = try await manager.downloads.change("base", paused: number % 2 == 0, priority: number % 5)
                }
            }
            try await group.waitForAll()
        }
        let status = try await manager.downloads.change("base", paused: true, priority: 3)
        #expect(status.activity == .paused && status.priority == 3)
        async let closed: Void = manager.close()
        blocking.release()
        await closed
        let next = try await home.open(kinds: [blocking])
        let found = try await next.downloads.status(of: "base")
        #expect((found.operation, found.priority, found.activity) == (operation, 3, .paused))
        _ = try await next.downloads.change("base", paused: false)
        #expect(try await next.end(of: operation).state == .finished)
        await next.close()
    }
}
