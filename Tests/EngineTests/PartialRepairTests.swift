import FoundationEssentials
import Glibc
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct PartialRepairTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    private func damage(_ names: String...) throws {
        for name in names { try home.packs.put("a.stickers/" + name, String(repeating: "?", count: 5000)) }
    }

    private func expectWhole(_ manager: StoreManager, _ before: [String: Data]) async throws {
        #expect(try await manager.packs.verify("a").isEmpty)
        #expect(try files() == before)
        #expect(try home.isClear())
    }

    private func files() throws -> [String: Data] {
        let pack = try home.packs.openDirectory("a.stickers")
        var files: [String: Data] = [:]
        for name in try pack.names() where name != Receipt.fileName { files[name] = try? pack.read(name) }
        return files
    }

    @Test(arguments: [("", false), ("", true), ("pack/", false), ("pack/", true)])
    func `only damaged files are fetched, whatever the form of the archive`(folder: String, deflated: Bool) async throws
    {
        let store = try TableStore(TableStore.images(20, in: folder, deflated: deflated))
        let manager = try await store.open(home)
        let before = try files()
        try damage("3.png", "12.png")
        try home.packs.remove("a.stickers/13.png")
        let status = try await manager.end(of: manager.packs.repair("a"))
        #expect(status.state == .finished && status.action == .repair)
        func range(_ first: Int, _ last: Int) -> String {
            let (from, to) = (store.entries.entries[first], store.entries.entries[last])
            return "bytes=\(from.offset)-\(to.offset + to.compressedSize - 1)"
        }
        // Two adjacent files are fetched with one request.
        #expect(store.asked(from: 1) == [range(3, 3), range(12, 13)])
        #expect(status.bytesReceived == status.bytesExpected)
        #expect(status.bytesReceived - store.tableSize > 15_000 && status.bytesReceived - store.tableSize < 15_300)
        try await expectWhole(manager, before)
        let repaired = try await manager.packs.pack("a")
        #expect(repaired.store == "main" && repaired.version?.text == "1")
        await manager.close()
    }

    @Test func `a repair that needs no bytes makes no request`() async throws {
        let store = try TableStore(TableStore.images(5), hasTable: false)
        let manager = try await store.open(home)
        let before = try files()
        let pack = try home.packs.openDirectory("a.stickers")
        try pack.put("mine.png", "mine")
        #expect(chmod(pack.path + "/1.png", 0o755) == 0)
        #expect(
            try await manager.packs.verify("a") == [
                PackDamage(path: "1.png", damage: .permissions), PackDamage(path: "mine.png", damage: .added),
            ])
        store.origin.stop()
        let status = try await manager.end(of: manager.packs.repair("a"))
        #expect(status.state == .finished && status.bytesReceived == 0 && status.fraction == 1)
        try await expectWhole(manager, before)
        await manager.close()
    }

    /// A reason why parts can't be fetched, so that the whole archive is fetched instead.
    enum Obstacle: String, CaseIterable {
        case noTable, tableGone, otherTable, oldTable, rangesIgnored, otherRange, otherBytes, otherSize
    }

    @Test(arguments: Obstacle.allCases)
    func `the whole archive is fetched where parts can't be`(obstacle: Obstacle) async throws {
        let store = try TableStore(
            TableStore.images(20, deflated: true), hasTable: obstacle != .noTable,
            hasCompressedHashes: obstacle != .oldTable)
        let manager = try await store.open(home)
        let before = try files()
        try damage("3.png")
        let origin = store.origin
        switch obstacle {
        case .noTable, .oldTable: break
        case .tableGone: origin.remove(TableStore.table)
        case .otherTable: origin.serve(TableStore.table, #"{"format":1,"entries":[]}"#)
        case .rangesIgnored: origin.script(TableStore.archive, [[.ignoreRange]])
        case .otherRange:
            origin.script(TableStore.archive, [[.header("Content-Range", "bytes 0-4999/\(store.zip.count)")]])
        case .otherBytes:
            origin.script(TableStore.archive, [[.bytes(OriginBytes.random(store.zip.count, seed: 99))]])
        case .otherSize: origin.script(TableStore.archive, [[.bytes(store.zip + [0])]])
        }
        let status = try await manager.end(of: manager.packs.repair("a"))
        #expect(status.state == .finished, "\(String(describing: status.error))")
        #expect(status.bytesReceived == store.zip.count && status.bytesExpected == store.zip.count)
        let asked = store.asked(from: 1)
        #expect(asked.last == .some(nil))
        #expect(asked.count == ([.noTable, .tableGone, .otherTable, .oldTable].contains(obstacle) ? 1 : 2))
        try await expectWhole(manager, before)
        await manager.close()
    }

    @Test func `an archive that the store no longer lists is fetched whole from its address`() async throws {
        let store = try TableStore(TableStore.images(20))
        let manager = try await store.open(home)
        try await manager.stores.remove("main")
        // The server is on this machine, and a store that was removed counts as public.
        _ = try await manager.set(.networkAllowLocalAddresses, to: "true")
        try damage("3.png")
        #expect(try await manager.end(of: manager.packs.repair("a")).state == .finished)
        #expect(store.asked(from: 1) == [nil])
        #expect(try await manager.packs.verify("a").isEmpty)
        await manager.close()
    }

    @Test func `a repair continues after a broken connection`() async throws {
        let store = try TableStore(TableStore.images(20))
        let manager = try await store.open(home)
        let before = try files()
        try damage("3.png", "12.png")
        // The first range is interrupted, and the entry table is not requested again.
        store.origin.script(TableStore.archive, [[.resetAfter(2000)], [.status(503)]])
        let status = try await manager.end(of: manager.packs.repair("a"))
        #expect(status.state == .finished && status.attempt == 3)
        #expect(store.origin.requests(to: TableStore.table).count == 1)
        let entry = store.entries.entries[3]
        let asked = store.asked(from: 1).map { $0 ?? "all" }
        #expect(asked.count == 4 && asked[1] == asked[2])
        #expect(asked.allSatisfy { $0 != "all" })
        #expect(asked[2].hasSuffix("-\(entry.offset + 4999)"))
        try await expectWhole(manager, before)
        await manager.close()
    }

    @Test func `all parts are fetched over one connection`() async throws {
        let store = try TableStore(TableStore.images(30))
        let manager = try await store.open(home)
        try damage("3.png", "9.png", "15.png", "21.png", "27.png")
        #expect(try await manager.end(of: manager.packs.repair("a")).state == .finished)
        let requests = store.origin.requests(to: TableStore.archive).dropFirst()
        #expect(requests.count == 5 && Set(requests.map(\.connection)).count == 1)
        await manager.close()
    }

    @Test func `a repair that a crash interrupted begins again`() async throws {
        let store = try TableStore(TableStore.images(20))
        let manager = try await store.open(home)
        let before = try files()
        try damage("3.png", "12.png")
        store.origin.script(TableStore.archive, [[], [.stallAfter(1000)]])
        let operation = try #require(try await manager.packs.repair("a").operation)
        await store.origin.untilStalled()
        // The home as it is on the disk at this moment.
        let copy = try TemporaryFolder()
        for part in try home.folder.directory.names() {
            try FileManager.default.copyItem(atPath: home.folder.path + "/" + part, toPath: copy.path + "/" + part)
        }
        #expect(try copy.directory.openDirectory("cache/partial").names() == [operation.rawValue + ".parts"])
        store.origin.release()
        #expect(try await manager.end(of: operation).state == .finished)
        try await expectWhole(manager, before)
        await manager.close()

        let other = try EngineHome(copy)
        let next = try await other.open()
        if try await next.history.operation(operation).end == nil { _ = try await next.end(of: operation) }
        #expect(try await next.history.operation(operation).end == .finished)
        #expect(try await next.packs.verify("a").isEmpty)
        await next.close()
        #expect(try other.isClear())
    }

    @Test func `a cancelled repair leaves the pack unchanged`() async throws {
        let store = try TableStore(TableStore.images(20))
        let manager = try await store.open(home)
        try damage("3.png")
        store.origin.script(TableStore.archive, [[.stallAfter(100)]])
        _ = try await manager.packs.repair("a")
        await store.origin.untilStalled()
        #expect(try await manager.downloads.cancel("a").state == .cancelled)
        #expect(try await manager.packs.verify("a") == [PackDamage(path: "3.png", damage: .changed)])
        #expect(try home.isClear())
        store.origin.release()
        await manager.close()
    }

    @Test func `the previous version shares no file with the repaired one`() async throws {
        let store = try TableStore(TableStore.images(5))
        let manager = try await store.open(home)
        // Like an editor that has a file of the damaged version open.
        let old = try home.packs.openDirectory("a.stickers").openOrCreateFile("1.png")
        let content = try old.readAll(limit: 1 << 20)
        try damage("3.png")
        #expect(try await manager.end(of: manager.packs.repair("a")).state == .finished)
        try old.truncate(to: 0)
        #expect(try home.packs.read("a.stickers/1.png") == content)
        #expect(try await manager.packs.verify("a").isEmpty)
        await manager.close()
    }
}
