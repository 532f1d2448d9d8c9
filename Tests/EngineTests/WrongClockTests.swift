import FoundationEssentials
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite struct WrongClockTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    @Test(arguments: [-0x1p40, 0, 0x1p55])
    func `a wrong clock neither stops the engine nor makes its records unreadable`(seconds: Double) async throws {
        let store = try FileStore(.init("a"))
        let clock = TimeSource(
            date: { Date(timeIntervalSince1970: seconds) }, now: TimeSource.system.now, sleep: TimeSource.system.sleep,
            jitter: TimeSource.system.jitter)
        let manager = try await home.open(clock: clock)
        try await manager.use(store)
        _ = try await manager.purchases.grant("b")
        try await manager.installed("a")
        _ = try await manager.packs.uninstall("a")
        try await manager.installed("a")
        try await expectReadable(manager)
        await manager.close()
        let later = try await home.open()
        try await expectReadable(later)
        #expect(try await later.installs.install("a", store: nil).pack != nil)
        await later.close()
    }

    private func expectReadable(_ manager: StoreManager) async throws {
        let operations = try await manager.history.operations()
        #expect(operations.map(\.action) == [.install, .uninstall, .install])
        #expect(try JSON.decode([OperationRecord].self, from: JSON.encode(operations)) == operations)
        let purchases = try await manager.purchases.list()
        #expect(purchases.map(\.productIdentifier) == ["b"])
        #expect(try JSON.decode([Purchase].self, from: JSON.encode(purchases)) == purchases)
    }
}
