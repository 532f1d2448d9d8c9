import FoundationEssentials
import StoreArchives
import StoreDatabase
import StoreLibrary
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import StoreTransfers
import Synchronization
import Testing

@testable import StoreEngine

@Suite struct RestartTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(.init("a"), .init("b", price: "1 EUR"), .init("c"))
    }

    /// Fills the home with two packs, one held and one purchased, and a purchase that is not installed.
    private func fill() async throws {
        let manager = try await home.open(using: store)
        _ = try await manager.purchases.grant("b")
        _ = try await manager.purchases.grant("never installed")
        for identifier in ["a", "b"] { try await manager.installed(identifier) }
        _ = try await manager.packs.setHeld("a", true)
        try home.packs.put("mine.stickers/1.txt", "")
        await manager.close()
    }

    private func expectAll(_ manager: StoreManager, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let packs = try await manager.packs.list()
        #expect(packs.map(\.productIdentifier).sorted() == ["a", "b", "mine"], sourceLocation: sourceLocation)
        #expect(packs.filter(\.held).map(\.productIdentifier) == ["a"], sourceLocation: sourceLocation)
        #expect(
            packs.first { $0.productIdentifier == "b" }?.state == [.downloaded, .purchased],
            sourceLocation: sourceLocation)
        #expect(await manager.stores.list().map(\.name) == ["main"], sourceLocation: sourceLocation)
        for identifier in ["a", "b"] {
            #expect(try await manager.packs.verify(identifier).isEmpty, sourceLocation: sourceLocation)
        }
        #expect(try await manager.installed("c").state == .finished, sourceLocation: sourceLocation)
    }

    @Test func `packs, history and stores survive a restart`() async throws {
        try await fill()
        let manager = try await home.open()
        try await expectAll(manager)
        #expect(try await manager.purchases.list().map(\.productIdentifier) == ["b", "never installed"])
        #expect(try await manager.history.operations().count == 3)
        await manager.close()
        await manager.close()
    }

    @Test(arguments: ["removed", "empty", "damaged", "half"])
    func `a home without its database opens`(state: String) async throws {
        try await fill()
        let data = try home.folder.directory.openDirectory("data")
        let content = try data.read("library.sqlite")
        for name in try data.names() where name.hasPrefix("library.sqlite") { try data.remove(name) }
        switch state {
        case "removed": break
        case "empty": try data.put("library.sqlite", "")
        case "damaged": try data.put("library.sqlite", Data(repeating: 0x5A, count: content.count))
        default: try data.put("library.sqlite", content.prefix(content.count / 2))
        }
        let manager = try await home.open()
        try await expectAll(manager)
        #expect(try await manager.purchases.list().contains { $0.productIdentifier == "b" })
        await manager.close()
        let again = try await home.open()
        #expect(try await again.packs.list().count == 4)
        await again.close()
    }

    @Test func `a home without its cache opens`() async throws {
        try await fill()
        try home.folder.directory.removeTree("cache")
        let manager = try await home.open()
        try await expectAll(manager)
        await manager.close()
    }

    @Test func `event numbers grow across restarts`() async throws {
        var last: UInt64 = 0
        for _ in 1...3 {
            let manager = try await home.open()
            #expect(manager.events.lastSequence >= last)
            try await manager.use(store)
            #expect(manager.events.lastSequence > last)
            last = manager.events.lastSequence
            await manager.close()
        }
    }

    @Test func `an unusable home is an error`() async throws {
        try home.folder.directory.put("data", "a file where the folder should be")
        let code = await failure { _ = try await home.open() }
        #expect(code == .homeUnusable && code?.exitCode == .daemon)
    }

    // MARK: Settings

    @Test func `the total number of connections is at least that of one host`() {
        var settings = Settings()
        #expect(TransferConfiguration(settings).connections == TransferConfiguration().connections)
        settings[.networkConnectionsPerHost] = .integer(256)
        #expect(TransferConfiguration(settings).connections == 256)
    }

    @Test func `the limits of archives are settings`() {
        var settings = Settings()
        #expect(ArchiveLimits(settings) == ArchiveLimits())
        settings[.archivesMaximumEntries] = .integer(1)
        settings[.archivesMaximumUnpackedSize] = .integer(2)
        settings[.archivesMaximumRatio] = .integer(3)
        settings[.archivesMaximumDepth] = .integer(4)
        settings[.archivesMaximumPathLength] = .integer(5)
        settings[.archivesMaximumNameLength] = .integer(6)
        let limits = ArchiveLimits(settings)
        #expect((limits.entries, limits.unpackedSize, limits.ratio) == (1, 2, 3))
        #expect((limits.depth, limits.pathLength, limits.nameLength) == (4, 5, 6))
    }

    @Test func `a pack beyond the limit of the library is refused before its archive is fetched`() async throws {
        let store = try TableStore(TableStore.images(3))
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "main", url: store.origin.url, unsigned: true, priority: 0)
        _ = try await manager.set(.libraryMaximumSize, to: "14999")
        let refused = try await manager.installed("a")
        #expect(refused.error?.code == .libraryLimit && store.asked().isEmpty, "\(refused)")
        _ = try await manager.set(.libraryMaximumSize, to: "15000")
        #expect(try await manager.installed("a").state == .finished)
        await manager.close()
    }

    @Test func `a changed setting takes effect at once`() async throws {
        let two = ["1.txt": "1", "2.txt": "2"]
        let store = try FileStore(.init("a", two), .init("b", two), .init("c", two))
        let manager = try await home.open(using: store, [:])
        try await manager.installed("a")
        let settings = try await manager.set(.archivesMaximumEntries, to: "1")
        #expect(settings.archivesMaximumEntries == 1)
        #expect(manager.settings.current.archivesMaximumEntries == 1)
        let refused = try await manager.installed("b")
        #expect(refused.state == .failed && refused.error?.code.exitCode == .refused)
        _ = try await manager.set(.archivesMaximumEntries, to: "20")
        #expect(try await manager.installed("b").state == .finished)
        _ = try await manager.set(.libraryMaximumSize, to: "5")
        let tooLarge = try await manager.installed("c")
        #expect(tooLarge.error?.code.exitCode == .space && tooLarge.error?.code == .libraryLimit)
        #expect(
            await failure { _ = try await manager.set(.archivesMaximumEntries, to: "many") } == .settingsInvalid
        )
        await manager.close()
        let reopened = try await home.open([:])
        #expect(reopened.settings.current.libraryMaximumSize == 5)
        #expect(await reopened.stores.list().map(\.name) == ["main"])
        await reopened.close()
    }

    @Test func `the previous version is kept as long as the settings say`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        _ = try await manager.set(.libraryKeepPrevious, to: "0")
        store["a"].files = ["1.txt": "number two"]
        try store.publish()
        _ = try await manager.updated()
        // The previous version is removed after the end of the update was published; closing waits for that.
        await manager.close()
        let reopened = try await home.open()
        #expect(await failure { _ = try await reopened.packs.rollBack("a") } == .noPrevious)
        await reopened.close()
    }

    @Test func `simultaneous changes of settings are observed in the order in which they take effect`() async throws {
        let manager = try await home.open()
        let observed = Mutex<[Int]>([])
        manager.observeSettings { settings in observed.withLock { $0.append(settings.archivesMaximumEntries) } }
        try await withThrowingTaskGroup { group in
            for count in 1...20 {
                group.addTask { _ = try await manager.set(.archivesMaximumEntries, to: "\(count)") }
            }
            try await group.waitForAll()
        }
        #expect(observed.withLock { $0.sorted() } == Array(1...20))
        #expect(observed.withLock { $0.last } == manager.settings.current.archivesMaximumEntries)
        await manager.close()
    }

    @Test func `previous versions are removed when the settings keep none any more`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        store["a"].files = ["1.txt": "number two"]
        try store.publish()
        _ = try await manager.updated()
        _ = try await manager.set(.libraryKeepPrevious, to: "0")
        #expect(await failure { _ = try await manager.packs.rollBack("a") } == .noPrevious)
        await manager.close()
    }

    @Test func `an interrupted start does not keep purchases from being restored from receipts`() async throws {
        try await fill()
        try home.folder.directory.remove("data/library.sqlite")
        try await LibraryDatabase(path: home.places.database).close()
        for _ in 0..<2 {
            let manager = try await home.open()
            #expect(try await manager.purchases.list().map(\.productIdentifier) == ["b"])
            await manager.close()
        }
        // Once they are restored, the user decides.
        let manager = try await home.open()
        try await manager.purchases.revoke("b")
        await manager.close()
        let reopened = try await home.open()
        #expect(try await reopened.purchases.list().isEmpty)
        await reopened.close()
    }

    @Test func `a rebuild of the database that was interrupted before its last step is completed`() async throws {
        try await fill()
        let data = try home.folder.directory.openDirectory("data")
        try data.rename("library.sqlite", to: data, as: "library.sqlite.rebuilt")
        let manager = try await home.open()
        try await expectAll(manager)
        await manager.close()
        #expect(try data.names().filter { $0.hasPrefix("library") } == ["library.sqlite"])
    }
}
