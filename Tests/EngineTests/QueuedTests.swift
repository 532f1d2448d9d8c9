import StoreEngine
import StoreModel
import StoreSettings
import StoreTestSupport
import Testing

/// A queue that comes back after a start, while the home is used already.
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

    /// A home that was closed with all of them queued.
    ///
    /// - Returns: their operations by their products, in the order begun.
    private func queue() async throws -> [(product: String, operation: OperationID)] {
        let gated = GatedKind()
        let manager = try await home.open(using: store, Self.overrides, kinds: [gated])
        var begun: [(String, OperationID)] = []
        for name in Self.names {
            begun.append((name, try #require(try await manager.installs.install(name, store: nil).operation)))
        }
        await gated.someoneWaits()
        async let closed: Void = manager.close()
        gated.open()
        await closed
        return begun
    }

    @Test func `a request for a queued download joins it right after the start`() async throws {
        let begun = try await queue()
        let gated = GatedKind()
        let manager = try await home.open(Self.overrides, kinds: [gated])
        // The last one: it is the last to come back.
        let last = try #require(begun.last)
        let joined = try await manager.installs.install(last.product, store: nil)
        #expect(joined.joined && joined.operation == last.operation)
        #expect(try await manager.downloads.cancel(last.product).operation == last.operation)
        gated.open()
        await manager.close()
    }

    @Test func `the list has all queued downloads in order right after the start`() async throws {
        let begun = try await queue()
        let gated = GatedKind()
        let manager = try await home.open(Self.overrides, kinds: [gated])
        async let list = manager.downloads.all()
        async let snapshot = manager.observers.snapshot()
        let waiting = try await (list.filter { $0.end == nil }, snapshot.downloads.filter { $0.end == nil })
        let expected = begun.map(\.operation).suffix(waiting.0.count)
        #expect(waiting.0.count >= begun.count - 1 && waiting.0.map(\.operation) == Array(expected))
        #expect(waiting.1.map(\.operation) == waiting.0.map(\.operation))
        gated.open()
        await manager.close()
    }

    @Test func `a new request queues behind the restored downloads`() async throws {
        let begun = try await queue()
        store.products.append(FileStore.Product("new", ["new.png": ""]))
        try store.publish()
        let gated = GatedKind()
        let manager = try await home.open(
            Self.overrides.merging([.catalogueRefreshAfter: "0"]) { $1 }, kinds: [gated])
        let new = try #require(try await manager.installs.install("new", store: nil).operation)
        gated.open()
        #expect(try await manager.end(of: new).state == .finished)
        // The order of the checks, since a commit waits for others and so may end before an earlier one.
        #expect(gated.checked.last?.contains("new.png") == true)
        #expect(gated.checked.count >= begun.count)
        for (_, operation) in begun where try await manager.history.operation(operation).end == nil {
            _ = try await manager.end(of: operation)
        }
        #expect(try await manager.packs.list().count == begun.count + 1)
        await manager.close()
    }

    @Test func `closing while downloads are restored loses none`() async throws {
        let begun = try await queue()
        for _ in 1...3 {
            let gated = GatedKind()
            let manager = try await home.open(Self.overrides, kinds: [gated])
            gated.open()
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
