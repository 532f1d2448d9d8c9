import Dispatch
import GRDB
import StoreArchives
import StoreEvents
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreDatabase
@testable import StoreDownloads

/// Downloads that are begun together.
@Suite(.hangGuard)
struct SeveralDownloadsTests {
    private let home: DownloadsHome
    init() async throws { home = try await DownloadsHome() }

    @Test func `the begins of all downloads are one transaction`() async throws {
        let groups = try (0..<20).map { [try home.request("d\($0)"), try home.request("p\($0)")] }
        let before = home.database.metrics.transactions
        let results = await home.manager.start(groups)
        #expect(home.database.metrics.transactions == before + 1)
        for (index, result) in results.enumerated() {
            #expect(try result.get()?.download?.productIdentifier == "p\(index)")
        }
        #expect(try await home.database.runningOperations().count == 40)
        await home.manager.close()
    }

    @Test func `a request that fails keeps no other from beginning, but those that need it`() async throws {
        let running = try #require(try await home.manager.start(try home.request("a")))
        let results = await home.manager.start([
            [try home.request("b")], [try home.request("a", store: "other"), try home.request("c")],
            [try home.request("a")], [try home.request("b")],
        ])
        let begun = try #require(try results[0].get())
        #expect(!begun.joined)
        #expect(throws: StoreError.self) { try results[1].get() }
        #expect(try results[2].get()?.operation == running.operation)
        #expect(try results[3].get()?.operation == begun.operation)
        #expect(try await home.database.runningOperations().map(\.record.productIdentifier) == ["a", "b"])
        await home.manager.close()
    }

    @Test func `downloads that could not be recorded have failed for all who asked for them`() async throws {
        try await home.database.close()
        let groups = try ["a", "b", "a"].map { [try home.request($0)] }
        let results = await home.manager.start(groups)
        for result in results { #expect(throws: StoreError.self) { try result.get() } }
        #expect(await home.manager.all().map(\.state) == [.failed, .failed])
        await home.manager.close()
    }

    /// Requests a product twice more, and changes its download, while its begin waits for the database; returns the results.
    ///
    /// - Parameter body: what the database does before it records the begin.
    private func joinBeforeBegin(
        _ body: @escaping @Sendable (GRDB.Database) throws -> Void
    ) async throws -> [Result<DownloadStatus?, any Error>] {
        let (manager, database) = (home.manager, home.database)
        let (held, free) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        async let holding: Void = database.perform { database in
            held.continuation.yield()
            free.wait()
            try body(database)
        }
        // Also if a wait below fails: the database would wait for ever.
        defer { free.signal() }
        for await _ in held.stream { break }
        let (request, again) = (try home.request("a"), try home.request("a"))
        let first = Task { try await manager.start(request)?.download }
        try await eventually { database.waitingCount == 1 }
        let others = [
            Task { try await manager.start(again)?.download }, Task { try await manager.runningToJoin("a") },
            Task { try await manager.change("a", priority: 1) },
        ]
        try await eventually { await manager.entries["a"]?.waitersForBegin.count == 3 }
        free.signal()
        try await holding
        var results: [Result<DownloadStatus?, any Error>] = []
        for task in [first] + others { results.append(await task.result) }
        return results
    }

    @Test func `a request that joins a download waits until its begin is recorded, so that it survives a crash`()
        async throws
    {
        let results = try await joinBeforeBegin { _ in }
        let operations = try results.map { try #require(try $0.get()).operation }
        #expect(operations == Array(repeating: operations[0], count: 4))
        await home.manager.close()
    }

    @Test func `a request that joined a download fails if its begin can't be recorded`() async throws {
        let results = try await joinBeforeBegin { try $0.execute(sql: "DROP TABLE operations") }
        for result in results { #expect(throws: StoreError.self) { try result.get() } }
        await home.manager.close()
    }

    @Test func `a request is out of date once the product has another version than it replaces`() async throws {
        let home = try await DownloadsHome(unpacking: Unpacker())
        let manager = home.manager
        func end(_ request: DownloadRequest) async throws -> DownloadState? {
            guard let begun = try await manager.start(request)?.operation else { return nil }
            _ = try await manager.end(of: begun, product: request.product.productIdentifier)
            return try await manager.status(of: request.product.productIdentifier).state
        }
        var first = try home.request("a")
        first.replacing = OperationID()
        #expect(try await end(first) == nil, "it was removed")
        first.replacing = nil
        #expect(try await end(first) == .finished)
        // Of another store, and so not the same archive.
        var second = try home.request("a", store: "other", content: [2])
        #expect(try await end(second) == nil, "another request installed it")
        second.action = .update
        second.replacing = first.operation
        #expect(try await end(second) == .finished)
        var third = try home.request("a", content: [3])
        (third.action, third.replacing) = (.update, first.operation)
        #expect(try await end(third) == nil, "another request updated it")
        await manager.close()
    }

    @Test func `another file of this machine does not join a download`() async throws {
        let first = try home.request("a", store: Receipt.localFiles)
        let same = try home.request("a", store: Receipt.localFiles)
        let other = try home.request("a", store: Receipt.localFiles, content: [2])
        let operation = try await home.manager.start(first)?.operation
        #expect(try await home.manager.start(same)?.operation == operation)
        let error = await #expect(throws: StoreError.self) { try await home.manager.start(other) }
        #expect(error?.code == .otherStore)
        await home.manager.close()
    }

    @Test func `a download that is cancelled before its begin is recorded does not hold up its batch`() async throws {
        let groups = try (0..<40).map { [try home.request("p\($0)")] } + [[try home.request("p0")]]
        async let started = home.manager.start(groups)
        // At whatever moment: before the batch is recorded, or after.
        while (try? await home.manager.cancel("p0")) == nil { await Task.yield() }
        let results = await started
        for index in 1..<40 { #expect(try results[index].get()?.download?.productIdentifier == "p\(index)") }
        // It began again, or its end came after all requests.
        let last = try #require(try results[40].get()?.operation)
        #expect(try await home.database.operation(last) != nil)
        await home.manager.close()
    }

    @Test func `a download that waits for a slot has one event, which says so`() async throws {
        await home.manager.apply(DownloadSettings(maximumAtOnce: 1))
        let events = try home.events.subscribe()
        _ = await home.manager.start(try ["a", "b"].map { [try home.request($0)] })
        for await _ in home.unpacker.started { break }
        _ = try await home.manager.cancel("b")
        var statuses: [DownloadStatus] = []
        for try await event in events {
            guard case .download(let status) = event.event.happening, status.productIdentifier == "b" else { continue }
            statuses.append(status)
            if status.state.isEnd { break }
        }
        #expect(statuses.map(\.state) == [.initializing, .cancelled])
        #expect(statuses.first?.activity == .queued && statuses.first?.reasonCode == .slot)
        await home.manager.close()
    }

    @Test func `downloads that begin together get slots in the order of the requests`() async throws {
        await home.manager.apply(DownloadSettings(maximumAtOnce: 1))
        let names = (0..<20).map { "p\($0)" }
        _ = await home.manager.start(try names.map { [try home.request($0)] })
        for name in names {
            for await _ in home.unpacker.started { break }
            #expect(await home.manager.all().filter { $0.activity == .unpacking }.map(\.productIdentifier) == [name])
            _ = try await home.manager.cancel(name)
        }
        await home.manager.close()
    }

    @Test func `of downloads that wait to unpack, the one with the highest priority is next`() async throws {
        let queue = await home.manager.environment.steps.unpackQueue
        let count = max(2, ParallelWork.processors)
        await home.manager.apply(DownloadSettings(maximumAtOnce: count + 2))
        let names = (0..<count).map { "p\($0)" }
        _ = await home.manager.start(try names.map { [try home.request($0)] })
        var started = home.unpacker.started.makeAsyncIterator()
        for _ in names { _ = await started.next() }
        for identifier in ["first", "last"] {
            _ = await home.manager.start([[try home.request(identifier)]])
            let task = try #require(await home.manager.entries[identifier]?.task)
            try await eventually { queue.isWaiting(task.number) }
        }
        let status = try await home.manager.change("last", priority: 1)
        _ = try await home.manager.cancel(names[0])
        #expect(await started.next()?.contains(status.operation.rawValue) == true)
        await home.manager.close()
    }
}
