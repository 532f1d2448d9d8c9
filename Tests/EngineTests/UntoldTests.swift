import FoundationEssentials
import StoreEngine
import StoreEvents
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// A process that is killed may have done more than it told.
@Suite struct UntoldTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(.init("a"), .init("b"), .init("c"))
    }

    /// What is told after an event, up to now, progress aside.
    private func told(_ manager: StoreManager, after sequence: UInt64) async throws -> [String] {
        let events = try manager.events.subscribe(after: sequence)
        let mark = "mark-\(UUID())"
        manager.events.publish(.catalogue(store: mark))
        var told: [String] = []
        for try await event in events {
            switch event.event.happening {
            case .catalogue(mark): return told
            case .download(let status): told.append("\(status.productIdentifier) \(status.state.rawValue)")
            case .pack(let change):
                told.append("\(change.productIdentifier) \(change.change) \(change.kind) \(change.version?.text ?? "")")
            default: break
            }
        }
        return told
    }

    /// A copy of the home as it is in this moment, but for the events, of which it has what was told before.
    private func copy(events: Data) throws -> EngineHome {
        let copy = try TemporaryFolder()
        for part in try home.folder.directory.names() {
            try FileManager.default.copyItem(atPath: home.folder.path + "/" + part, toPath: copy.path + "/" + part)
        }
        try copy.directory.put("data/events.0", events)
        return try EngineHome(copy)
    }

    @Test func `the next process publishes the events that a crash lost`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        try await manager.installed("c")
        _ = try await told(manager, after: manager.events.lastSequence)
        let (last, events) = (manager.events.lastSequence, try home.folder.directory.read("data/events.0"))
        _ = try await manager.packs.uninstall("a")
        try await manager.installed("b")
        _ = try await told(manager, after: manager.events.lastSequence)
        let crashed = try copy(events: events)
        let wanted = try await told(manager, after: last)
        await manager.close()

        var next = try await crashed.open()
        var heard = try await told(next, after: last)
        for what in ["a removed sticker ", "b Finished", "b installed sticker "] {
            #expect(heard.count { $0 == what } == 1, "\(what): \(heard)")
            #expect(wanted.contains(what))
        }
        // Of what was told before, nothing is told again.
        #expect(heard.count == 3)
        let end = next.events.lastSequence
        await next.close()
        // And none of it once more.
        next = try await crashed.open()
        heard = try await told(next, after: end)
        #expect(heard.isEmpty)
        #expect(try await told(next, after: last).count == 3)
        await next.close()
    }

    @Test func `after an orderly end no events are published again`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        _ = try await manager.packs.uninstall("a")
        let last = manager.events.lastSequence
        await manager.close()
        let next = try await home.open()
        #expect(try await told(next, after: last).isEmpty)
        #expect(next.events.lastSequence > last)
        await next.close()
    }
}
