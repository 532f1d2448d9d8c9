import FoundationEssentials
import StoreEngine
import StoreEvents
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests events that a killed process did not publish.
@Suite struct UnpublishedEventsTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(.init("a"), .init("b"), .init("c"))
    }

    /// Returns the events after a sequence number, without progress, once all changes are published.
    private func events(_ manager: StoreManager, after sequence: UInt64) async throws -> [String] {
        while await !manager.isIdle({ _ in true }) { await Task.yield() }
        let subscription = try manager.events.subscribe(after: sequence)
        let mark = "mark-\(UUID())"
        manager.events.publish(.catalogue(store: mark))
        var found: [String] = []
        for try await event in subscription {
            switch event.event.happening {
            case .catalogue(mark): return found
            case .download(let status): found.append("\(status.productIdentifier) \(status.state.rawValue)")
            case .pack(let change):
                found.append(
                    "\(change.productIdentifier) \(change.change) \(change.kind) \(change.version?.text ?? "")")
            case .purchase(let change):
                found.append("\(change.productIdentifier) \(change.grantedAt == nil ? "revoked" : "purchased")")
            default: break
            }
        }
        return found
    }

    /// Returns a copy of the home as it is now, but with an earlier event journal.
    private func copy(journal: Data) throws -> EngineHome {
        let copy = try TemporaryFolder()
        for part in try home.folder.directory.names() {
            try FileManager.default.copyItem(atPath: home.folder.path + "/" + part, toPath: copy.path + "/" + part)
        }
        try copy.directory.put("data/events.0", journal)
        return try EngineHome(copy)
    }

    @Test func `the next process publishes the events that a crash lost`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        try await manager.installed("c")
        _ = try await events(manager, after: manager.events.lastSequence)
        let (last, journal) = (manager.events.lastSequence, try home.folder.directory.read("data/events.0"))
        _ = try await manager.packs.uninstall("a")
        try await manager.installed("b")
        _ = try await events(manager, after: manager.events.lastSequence)
        let crashed = try copy(journal: journal)
        let wanted = try await events(manager, after: last)
        await manager.close()

        var next = try await crashed.open()
        var received = try await events(next, after: last)
        for what in ["a removed sticker ", "b Finished", "b installed sticker "] {
            #expect(received.count { $0 == what } == 1, "\(what): \(received)")
            #expect(wanted.contains(what))
        }
        // Events that were already published are not published again.
        #expect(received.count == 3)
        let end = next.events.lastSequence
        await next.close()
        // The next start publishes none of them again.
        next = try await crashed.open()
        received = try await events(next, after: end)
        #expect(received.isEmpty)
        #expect(try await events(next, after: last).count == 3)
        await next.close()
    }

    @Test func `the next process publishes the purchases that a crash did not publish`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        _ = try await manager.purchases.grant("b")
        _ = try await events(manager, after: manager.events.lastSequence)
        let (last, journal) = (manager.events.lastSequence, try home.folder.directory.read("data/events.0"))
        _ = try await manager.purchases.grant("a")
        try await manager.purchases.revoke("b")
        let crashed = try copy(journal: journal)
        await manager.close()

        let next = try await crashed.open()
        // The states of an installed pack say that it was purchased.
        #expect(try await events(next, after: last).sorted() == ["a changed sticker ", "a purchased", "b revoked"])
        await next.close()
    }

    @Test func `after an orderly end no events are published again`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        _ = try await manager.packs.uninstall("a")
        let last = manager.events.lastSequence
        await manager.close()
        let next = try await home.open()
        #expect(try await events(next, after: last).isEmpty)
        #expect(next.events.lastSequence > last)
        await next.close()
    }
}
