import StoreEngine
import StoreModel
import StoreSettings
import StoreTestSupport
import Testing

/// Restores a queue after a start, while the home is already in use.
@Suite(.hangGuard)
struct QueuedTests {
    private let home: EngineHome
    private let store: FileStore
    private static let names = (0..<200).map { "p" + String(1000 + $0) }
    private static let overrides = EngineHome.always.merging([
        .downloadsMaximumAtOnce: "1", .catalogueRefreshAfter: "3600",
    ]) { $1 }

    init() throws {
        home = try EngineHome()
        store = try FileStore()
        store.products = Self.names.map { FileStore.Product($0) }
        try store.publish()
    }

    /// Closes a home with all products queued.
    ///
    /// - Returns: the operations of the products, in order of their start.
    private func queue() async throws -> [(product: String, operation: OperationID)] {
        let blocking = BlockingKind()
        let manager = try await home.open(using: store, Self.overrides, kinds: [blocking])
        var begun: [(String, OperationID)] = []
        for name in Self.names {
            begun.append((name, try #require(try await manager.installs.install(name, store: nil).operation)))
        }
        await blocking.untilBlocked()
        async let closed: Void = manager.close()
        blocking.release()
        await closed
        return begun
    }

    @Test func `a request for a queued download joins it right after the start`() async throws {
        let begun = try await queue()
        let blocking = BlockingKind()
        let manager = try await home.open(Self.overrides, kinds: [blocking])
        // The last download, which is restored last.
        let last = try #require(begun.last)
        let joined = try await manager.installs.install(last.product, store: nil)
        #expect(joined.joined && joined.operation == last.operation)
        #expect(try await manager.downloads.cancel(last.product).operation == last.operation)
        blocking.release()
        await manager.close()
    }

    @Test func `the list has all queued downloads in order right after the start`() async throws {
        let begun = try await queue()
        let blocking = BlockingKind()
        let manager = try await home.open(Self.overrides, kinds: [blocking])
        async let list = manager.downloads.all()
        async let snapshot = manager.observers.snapshot()
        let waiting = try await (list.filter { $0.end == nil }, snapshot.downloads.filter { $0.end == nil })
        let expected = begun.map(\.operation).suffix(waiting.0.count)
        #expect(waiting.0.count >= begun.count - 1 && waiting.0.map(\.operation) == Array(expected))
        #expect(waiting.1.map(\.operation) == waiting.0.map(\.operation))
        blocking.release()
        await manager.close()
    }

    @Test func `a new request queues behind the restored downloads`() async throws {
        let begun = try await queue()
        store.products.append(FileStore.Product("new", ["new.png": ""]))
        try store.publish()
        let blocking = BlockingKind()
        let manager = try await home.open(
            Self.overrides.merging([.catalogueRefreshAfter: "0"]) { $1 }, kinds: [blocking])
        let new = try #require(try await manager.installs.install("new", store: nil).operation)
        blocking.release()
        #expect(try await manager.end(of: new).state == .finished)
        // The order of the checks, because a commit waits for others and may end before an earlier one.
        #expect(blocking.checked.last?.contains("new.png") == true)
        #expect(blocking.checked.count >= begun.count)
        for (_, operation) in begun where try await manager.history.operation(operation).end == nil {
            _ = try await manager.end(of: operation)
        }
        #expect(try await manager.packs.list().count == begun.count + 1)
        await manager.close()
    }

    @Test func `closing while downloads are restored loses none`() async throws {
        let begun = try await queue()
        for _ in 1...3 {
            let blocking = BlockingKind()
            let manager = try await home.open(Self.overrides, kinds: [blocking])
            blocking.release()
            await manager.close()
        }
        let manager = try await home.open(Self.overrides)
        for (_, operation) in begun where try await manager.history.operation(operation).end == nil {
            _ = try await manager.end(of: operation)
        }
        for (_, operation) in begun { #expect(try await manager.history.operation(operation).end == .finished) }
        #expect(try await manager.packs.list().count == begun.count)
        #expect(try await manager.history.operations(limit: 1000).count == begun.count)
        await manager.close()
        #expect(try home.isClear())
    }
}
