import FoundationEssentials
import StoreEngine
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests how much space the files of a home take.
@Suite struct DiskUseTests {
    @Test func `each part of a home is counted, and what is added to a cache`() async throws {
        let home = try EngineHome()
        let manager = try await home.open(using: FileStore(.init("cups")), EngineHome.keeping)
        let empty = try await manager.diskUse()
        #expect(empty.packs == 0 && empty.previousVersions == 0 && empty.archives == 0 && empty.pictures == 0)
        #expect(empty.catalogues > 0 && empty.database > 0 && empty.freeSpace != nil)
        try await manager.installed("cups")
        let cache = try Directory.open(home.places.cache)
        try cache.openDirectory("thumbnails").createDirectory("a").createDirectory("b")
            .replace("one", with: Data(count: 100))
        try cache.openDirectory("archives").replace("three", with: Data(count: 50))
        try cache.openDirectory("partial").replace("four", with: Data(count: 5))
        try cache.openDirectory("imports").replace("five", with: Data(count: 7))
        try Directory.open(home.places.data).openDirectory("previous").createDirectory("cats.sticker")
            .replace("two", with: Data(count: 30))
        let use = try await manager.diskUse()
        let packs = try await manager.packs.list().reduce(0) { $0 + $1.size }
        #expect(use.packs == packs && packs > 0 && use.archives == 55)
        #expect(use.pictures == 100 && use.previousVersions == 30 && use.other == empty.other + 7)
        let parts = [
            use.packs, use.previousVersions, use.trash, use.archives, use.pictures, use.catalogues, use.database,
            use.other,
        ]
        #expect(use.total == parts.reduce(0, +))
        await manager.close()
    }
}
