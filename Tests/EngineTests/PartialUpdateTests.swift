import FoundationEssentials
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Updates that fetch only what the installed version lacks.
@Suite struct PartialUpdateTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    /// Returns a pack of 80 files of 5,000 bytes, of which some have another content, or another name.
    private func pack(changed: Set<Int> = [], renamed: Set<Int> = [], _ more: [String: [UInt8]] = [:]) -> ZipForge {
        let forge = (0..<80).reduce(ZipForge()) { forge, number in
            forge.file(
                renamed.contains(number) ? "renamed/\(number).png" : "\(number).png",
                ImageForge.bytes(5000, seed: UInt64(changed.contains(number) ? 1000 + number : number)))
        }
        return more.sorted { $0.key < $1.key }.reduce(forge) { $0.file($1.key, $1.value) }
    }

    private func files() throws -> [String: Data] {
        let pack = try home.packs.openDirectory("a.stickers")
        var files: [String: Data] = [:]
        try pack.walk { entry, path, folder in
            if entry.kind == .file, path != Receipt.fileName { files[path] = try folder.read(entry.name) }
            return true
        }
        return files
    }

    /// Returns what an installation of the whole archive leaves.
    private func installed(_ store: TableStore) async throws -> (files: [String: Data], receipt: Receipt) {
        let other = try PartialUpdateTests()
        let manager = try await store.open(other.home)
        await manager.close()
        return (try other.files(), try other.receipt())
    }

    private func receipt() throws -> Receipt { try Receipt.read(from: home.packs.openDirectory("a.stickers")) }

    private func update(_ manager: StoreManager) async throws -> DownloadStatus {
        #expect(try await manager.updated() == ["a": nil])
        return try await manager.downloads.status(of: "a")
    }

    @Test func `an update fetches only the changed files, and gives the same pack as an installation`() async throws {
        let store = try TableStore(pack())
        let manager = try await store.open(home)
        let new = ["new.png": ImageForge.bytes(900, seed: 9)]
        let newer = try TableStore(pack(changed: [3, 40, 41], renamed: [7], new))
        store.publish(newer, version: "2")
        let status = try await update(manager)
        #expect(status.state == .finished && status.action == .update)
        func range(_ first: Int, _ last: Int) -> String {
            let (from, to) = (newer.entries.entries[first], newer.entries.entries[last])
            return "bytes=\(from.offset)-\(to.offset + to.compressedSize - 1)"
        }
        #expect(store.asked(from: 1) == [range(3, 3), range(40, 41), range(80, 80)])
        #expect(status.bytesReceived == status.bytesExpected)
        #expect(status.bytesReceived - newer.tableSize >= 15_900 && status.bytesReceived - newer.tableSize < 16_500)
        #expect(try await manager.packs.verify("a").isEmpty)
        let whole = try await installed(newer)
        #expect(try files() == whole.files)
        #expect(try receipt().files == whole.receipt.files && receipt().archive.sha256 == whole.receipt.archive.sha256)
        #expect(try await manager.packs.pack("a").version?.text == "2")
        #expect(try home.isClear())
        // The version before it is complete, too.
        _ = try await manager.packs.rollBack("a")
        #expect(try await manager.packs.verify("a").isEmpty)
        #expect(try await manager.packs.pack("a").version?.text == "1")
        await manager.close()
    }

    @Test func `a file that the user has changed is fetched`() async throws {
        let store = try TableStore(pack())
        let manager = try await store.open(home)
        try home.packs.put("a.stickers/5.png", String(repeating: "?", count: 5000))
        let newer = try TableStore(pack(changed: [3]))
        store.publish(newer, version: "2")
        #expect(try await update(manager).state == .finished)
        #expect(store.asked(from: 1).count == 2)
        #expect(try await files() == installed(newer).files)
        await manager.close()
    }

    @Test func `an update to an archive above the user's limit is refused`() async throws {
        let store = try TableStore(pack())
        let manager = try await store.open(home)
        store.publish(try TableStore(pack(changed: [3])), version: "2")
        _ = try await manager.set(.downloadsMaximumSize, to: "300000")
        #expect(try await manager.updated()["a"]??.code == .archiveLimit)
        #expect(store.asked(from: 1).isEmpty)
        #expect(try await manager.packs.verify("a").isEmpty)
        #expect(try home.isClear())
        await manager.close()
    }

    @Test func `an update that a crash interrupts is finished by the next start`() async throws {
        let store = try TableStore(pack())
        var manager = try await store.open(home)
        let newer = try TableStore(pack(changed: [3, 60]))
        store.publish(newer, version: "2")
        _ = try await manager.updates.available()
        // The first range arrives, and the second one does not.
        store.origin.script(TableStore.archive, [[], [.stallAfter(100)]])
        let update = Task { [manager] in try await manager.updated() }
        try await eventually { store.asked(from: 1).count == 2 }
        await manager.close()
        _ = try? await update.value
        manager = try await home.open()
        try await eventually { try await manager.packs.pack("a").version?.text == "2" }
        #expect(try await manager.packs.verify("a").isEmpty)
        #expect(try await files() == installed(newer).files)
        await manager.close()
        #expect(try home.isClear())
    }

    /// A reason why an update fetches the whole archive.
    enum Obstacle: String, CaseIterable {
        case allChanged, small, tableGone, tableFails, otherTable, rangesIgnored, oneDirectory
    }

    @Test(arguments: Obstacle.allCases)
    func `the whole archive is fetched where its parts cost more, or can't be`(obstacle: Obstacle) async throws {
        let isSmall = obstacle == .small
        let store = try TableStore(isSmall ? TableStore.images(20) : pack())
        let manager = try await store.open(home)
        let newer =
            switch obstacle {
            case .allChanged: try TableStore(pack(changed: Set(0..<80)))
            case .small: try TableStore(TableStore.images(21))
            case .oneDirectory:
                try TableStore(TableStore.images(80, in: "pack/").file("pack/new.png", ImageForge.bytes(900)))
            default: try TableStore(pack(changed: [3]))
            }
        store.publish(newer, version: "2")
        switch obstacle {
        case .tableGone: store.origin.remove(TableStore.table)
        case .tableFails: store.origin.script(TableStore.table, [[.resetAfter(10)]])
        case .otherTable: store.origin.serve(TableStore.table, #"{"format":1,"entries":[]}"#)
        case .rangesIgnored: store.origin.script(TableStore.archive, [[.ignoreRange]])
        default: break
        }
        let status = try await update(manager)
        #expect(status.state == .finished, "\(String(describing: status.error))")
        #expect(status.bytesReceived == newer.zip.count && status.bytesExpected == newer.zip.count)
        #expect(store.asked(from: 1).last == .some(nil))
        #expect(store.asked(from: 1).count == (obstacle == .rangesIgnored ? 2 : 1))
        #expect(try await manager.packs.verify("a").isEmpty)
        #expect(try await files() == installed(newer).files)
        #expect(try home.isClear())
        await manager.close()
    }
}
