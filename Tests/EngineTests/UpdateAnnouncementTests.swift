import FoundationEssentials
import StoreEngine
import StoreEvents
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct UpdateAnnouncementTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(.init("a"), .init("b"))
    }

    /// Publishes a version at another URL, which is another version of a product of format 1.
    private func publish(_ identifier: String, _ number: Int) throws {
        store[identifier].archive = "\(identifier)-\(number).zip"
        try store.publish()
    }

    private func news(_ manager: StoreManager, after sequence: UInt64) async throws -> [[String]] {
        let events = try manager.events.subscribe(after: sequence)
        let mark = "mark-\(UUID())"
        manager.events.publish(.catalogue(store: mark))
        var news: [[String]] = []
        for try await event in events {
            switch event.event.happening {
            case .updates(let updates): news.append(updates.map(\.productIdentifier).sorted())
            case .catalogue(mark): return news
            default: break
            }
        }
        return news
    }

    @Test func `each newer version is published once, also across restarts`() async throws {
        var manager = try await home.open(using: store)
        try await manager.installed("a")
        try await manager.installed("b")
        var start = manager.events.lastSequence
        _ = try await manager.updates.available()
        #expect(try await news(manager, after: start).isEmpty)
        try publish("a", 2)
        for _ in 0..<3 { #expect(try await manager.updates.available().updates.count == 1) }
        await manager.updates.check()
        #expect(try await news(manager, after: start) == [["a"]])
        // Another product is announced, and the first one is not announced again.
        start = manager.events.lastSequence
        try publish("b", 2)
        await manager.updates.check()
        #expect(try await news(manager, after: start) == [["b"]])
        await manager.close()
        manager = try await home.open()
        start = manager.events.lastSequence
        #expect(try await manager.updates.available().updates.count == 2)
        #expect(try await news(manager, after: start).isEmpty)
        try publish("a", 3)
        #expect(try await manager.updates.available().updates.count == 2)
        #expect(try await news(manager, after: start) == [["a"]])
        // After the update, the next version is announced.
        _ = try await manager.updated()
        start = manager.events.lastSequence
        try publish("a", 4)
        _ = try await manager.updates.available()
        #expect(try await news(manager, after: start) == [["a"]])
        await manager.close()
    }

    @Test func `newer versions of a reinstalled pack are published again`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        try await manager.installed("b")
        try publish("a", 2)
        try publish("b", 2)
        _ = try await manager.updates.available()
        _ = try await manager.packs.uninstall("a")
        try publish("b", 3)
        _ = try await manager.updates.available()
        try publish("a", 1)
        try await manager.installed("a")
        let start = manager.events.lastSequence
        try publish("a", 2)
        _ = try await manager.updates.available()
        #expect(try await news(manager, after: start) == [["a"]])
        await manager.close()
    }

    @Test func `updates that can't be recorded are announced nevertheless, once`() async throws {
        let folder = try home.folder.directory.createDirectory("data").createDirectory("updates.json")
        try folder.put("in-the-way", "")
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        let start = manager.events.lastSequence
        try publish("a", 2)
        #expect(await manager.updates.check().map(\.productIdentifier) == ["a"])
        #expect(await manager.updates.check().isEmpty)
        #expect(try await news(manager, after: start) == [["a"]])
        await manager.close()
    }

    @Test func `the time of the last periodic check is remembered`() async throws {
        let clock = SettableClock(Date(timeIntervalSince1970: 1_800_000_000))
        let manager = try await home.open(clock: clock.source)
        try await manager.use(store)
        #expect(await manager.updates.timeToNextCheck(every: .seconds(86_400)) == .zero)
        await manager.updates.check()
        #expect(await manager.updates.timeToNextCheck(every: .seconds(86_400)) == .seconds(86_400))
        clock.date += 1000
        #expect(await manager.updates.timeToNextCheck(every: .seconds(86_400)) == .seconds(85_400))
        #expect(await manager.updates.timeToNextCheck(every: .zero) == .zero)
        await manager.close()
        let next = try await home.open(clock: clock.source)
        #expect(await next.updates.timeToNextCheck(every: .seconds(86_400)) == .seconds(85_400))
        await next.close()
        // A file that is invalid, or from a clock that was set back.
        for content in ["garbage", #"{"checkedAt":"2999-01-01T00:00:00Z","told":{}}"#] {
            try home.folder.directory.put("data/updates.json", content)
            let manager = try await home.open()
            let left = await manager.updates.timeToNextCheck(every: .seconds(60))
            #expect(left == (content == "garbage" ? .zero : .seconds(60)))
            await manager.close()
        }
    }
}
