import FoundationEssentials
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import Testing

/// Requests during a download that a blocking check holds, so that nothing depends on timing.
@Suite struct RunningTests {
    private let home: EngineHome
    private let blocking = BlockingKind()
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(.init("a"), .init("b"))
    }

    /// Opens a home in which the installation of `a` is held by the check.
    private func open(atOnce: String = "16") async throws -> (StoreManager, OperationID) {
        let overrides = EngineHome.always.merging([.downloadsMaximumAtOnce: atOnce]) { $1 }
        let manager = try await home.open(using: store, overrides, kinds: [blocking])
        let operation = try #require(try await manager.installs.install("a", store: nil).operation)
        await blocking.untilBlocked()
        return (manager, operation)
    }

    @Test func `a second request joins the running download`() async throws {
        let (manager, operation) = try await open()
        for name in [nil, "main"] {
            let again = try await manager.installs.install("a", store: name)
            #expect(again.joined && again.operation == operation)
            #expect(again.download?.state == .downloaded && again.download?.activity == .unpacking)
        }
        #expect(try await manager.downloads.status(of: "a").operation == operation)
        #expect(try await manager.products.product("a", store: nil, languages: []).state == [.downloading, .free])
        let snapshot = try await manager.observers.snapshot()
        #expect(snapshot.downloads.map(\.operation) == [operation] && snapshot.packs.isEmpty)
        #expect(snapshot.sequence == manager.events.lastSequence)
        blocking.release()
        #expect(try await manager.end(of: operation).state == .finished)
        #expect(try await manager.history.operations().count == 1)
        await manager.close()
    }

    @Test func `a request for another store is a conflict`() async throws {
        let (manager, _) = try await open()
        let other = try FileStore(.init("a"))
        try await manager.use(other, as: "other")
        let code = await failure { _ = try await manager.installs.install("a", store: "other") }
        #expect(code == .otherStore && code?.exitCode == .conflict)
        blocking.release()
        await manager.close()
    }

    @Test func `uninstalling during an installation is a conflict`() async throws {
        let (manager, operation) = try await open()
        let code = await failure { _ = try await manager.packs.uninstall("a") }
        #expect(code == .productBusy && code?.exitCode == .conflict)
        let rollback = await #expect(throws: StoreError.self) { try await manager.packs.rollBack("a") }
        #expect(rollback?.template == .installationInProgress)
        blocking.release()
        #expect(try await manager.end(of: operation).state == .finished)
        #expect(try await manager.packs.uninstall("a").end == .finished)
        await manager.close()
    }

    @Test func `a cancelled installation leaves no files`() async throws {
        let (manager, operation) = try await open()
        async let cancelled = manager.downloads.cancel("a")
        blocking.release()
        let status = try await cancelled
        // A commit that had begun is finished.
        #expect(status.operation == operation && [.cancelled, .finished].contains(status.state))
        #expect(try await manager.packs.list().isEmpty == (status.state == .cancelled))
        #expect(try await manager.history.operation(operation).end?.rawValue == status.state.rawValue.lowercased())
        #expect(try home.isClear())
        for _ in 0..<2 {
            let code = await failure { _ = try await manager.downloads.cancel("a") }
            #expect(code == .downloadEnded && code?.exitCode == .conflict, "there was one, unlike of others")
        }
        #expect(await failure { _ = try await manager.downloads.change("a", paused: true) } == .downloadEnded)
        #expect(await failure { _ = try await manager.downloads.cancel("b") } == .downloadMissing)
        await manager.close()
    }

    @Test func `a request during a cancellation begins a new download`() async throws {
        let (manager, operation) = try await open()
        async let cancelled = manager.downloads.cancel("a")
        while try await manager.downloads.status(of: "a").activity != .waiting { await Task.yield() }
        // Two requests arrive after the cancellation was requested and before it takes effect.
        async let first = manager.installs.install("a", store: nil)
        async let second = manager.installs.install("a", store: nil)
        for _ in 0..<1000 { await Task.yield() }
        blocking.release()
        #expect(try await cancelled.state == .cancelled)
        let outcomes = try await [first, second]
        let again = try #require(outcomes[0].operation)
        #expect(again != operation && outcomes[1].operation == again)
        let started = outcomes.filter { $0.download != nil && !$0.joined }
        #expect(started.count == 1, "the other one joins it, or finds it there")
        #expect(try await manager.end(of: again).state == .finished)
        #expect(try await manager.history.operation(operation).end == .cancelled)
        #expect(try await manager.packs.list().map(\.productIdentifier) == ["a"])
        #expect(try home.isClear())
        await manager.close()
    }

    @Test func `a queued download is cancelled at once`() async throws {
        let (manager, _) = try await open(atOnce: "1")
        let waiting = try #require(try await manager.installs.install("b", store: nil).operation)
        #expect(try await manager.downloads.cancel("b").state == .cancelled)
        #expect(try await manager.history.operation(waiting).end == .cancelled)
        #expect(await manager.downloads.all().map(\.productIdentifier) == ["a", "b"])
        blocking.release()
        await manager.close()
    }

    /// A task that was stopped before it ran once looped forever.
    @Test(.hangGuard) func `a download that has just begun is cancelled`() async throws {
        let (manager, _) = try await open(atOnce: "1")
        for _ in 1...50 {
            _ = try await manager.installs.install("b", store: nil)
            #expect(try await manager.downloads.cancel("b").state == .cancelled)
        }
        blocking.release()
        await manager.close()
    }

    @Test func `closing keeps unfinished downloads for the next start`() async throws {
        let (manager, first) = try await open(atOnce: "1")
        let second = try #require(try await manager.installs.install("b", store: nil).operation)
        async let closed: Void = manager.close()
        blocking.release()
        await closed
        try await expectBoth(first, second, in: home)
    }

    @Test func `a crash keeps unfinished downloads for the next start`() async throws {
        let (manager, first) = try await open(atOnce: "1")
        let second = try #require(try await manager.installs.install("b", store: nil).operation)
        // The home as it is on the disk at this moment, in which nothing changes.
        let copy = try TemporaryFolder()
        for part in try home.folder.directory.names() {
            try FileManager.default.copyItem(atPath: home.folder.path + "/" + part, toPath: copy.path + "/" + part)
        }
        #expect(try !copy.directory.openDirectory("data/staging").names().isEmpty)
        try await expectBoth(first, second, in: EngineHome(copy))
        blocking.release()
        await manager.close()
    }

    private func expectBoth(_ first: OperationID, _ second: OperationID, in home: EngineHome) async throws {
        let manager = try await home.open()
        for operation in [first, second] {
            if try await manager.history.operation(operation).end == nil { _ = try await manager.end(of: operation) }
        }
        #expect(try await manager.packs.list().map(\.productIdentifier) == ["a", "b"])
        #expect(try await manager.history.operations().map(\.operation) == [second, first])
        #expect(try await manager.history.operations().map(\.end) == [.finished, .finished])
        for identifier in ["a", "b"] { #expect(try await manager.packs.verify(identifier).isEmpty) }
        await manager.close()
        #expect(try home.isClear())
    }
}
