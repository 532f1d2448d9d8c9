import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreEngine

/// The limits of the images in memory while their thumbnails are made, without the program that makes them.
@Suite(.hangGuard) struct ThumbnailLimitTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    /// Calls `body` while a limit has no room for another function, and returns its result.
    private func withoutRoom<Value>(
        in limit: ConcurrencyLimit, of count: Int, _ body: () async throws -> Value
    ) async throws -> Value {
        let (begun, ends) = ((0..<count).map { _ in Promise<Void>() }, (0..<count).map { _ in Promise<Void>() })
        let holders = zip(begun, ends).map { begun, end in
            Task {
                try await limit.run {
                    begun.keep(())
                    try await end.value()
                }
            }
        }
        for begun in begun { try await begun.value() }
        let value = try await body()
        for end in ends { end.keep(()) }
        for holder in holders { try await holder.value }
        return value
    }

    @Test func `an image waits for room in memory before it is drawn, and a cached thumbnail does not`() async throws {
        let manager = try await home.open()
        let (maker, folder) = (manager.thumbnails, try TemporaryFolder())
        let (directory, image) = (folder.directory, ImageForge.png())
        try directory.put("new.png", "no image")
        try directory.put("cached.png", Data(image))
        let cached = Data(ImageForge.webp(ImageForge.vp8(8, 8)))
        try home.folder.directory.put("cache/thumbnails/\(SHA256Digest(of: image).hex)-64.webp", cached)
        let waiting = try await withoutRoom(in: maker.imagesInMemory, of: ThumbnailMaker.imageLimit) {
            let found = try await maker.thumbnail(of: "cached.png", in: directory, size: .small, isAnimated: false)
            #expect(found.data == cached)
            let waiting = Task {
                await failure {
                    _ = try await maker.thumbnail(of: "new.png", in: directory, size: .small, isAnimated: false)
                }
            }
            try await eventually { await maker.imagesInMemory.waitingCount == 1 }
            return waiting
        }
        #expect(await waiting.value == .thumbnailFailed)
        await manager.close()
        withExtendedLifetime(folder) {}
    }

    @Test func `an image of a store waits for room in memory before it is fetched for a thumbnail`() async throws {
        let store = try IconStore()
        store.publish([.init("a", icon: ImageForge.png())])
        let manager = try await home.open()
        try await manager.stores.add(name: "main", url: store.origin.url, unsigned: true)
        let limit = manager.products.imagesInUse["main"]
        let waiting = try await withoutRoom(in: limit, of: ProductCatalogue.imageLimit) {
            let waiting = Task {
                try await manager.products.withImage(.icon, of: "a", store: "main") { Array($0.data) }
            }
            try await eventually { await limit.waitingCount == 1 }
            #expect(store.requests(forIconOf: "a") == 0)
            // Without a thumbnail it is returned at once.
            let image = try await manager.products.image(.icon, of: "a", store: "main")
            #expect(Array(image.data) == ImageForge.png())
            return waiting
        }
        #expect(try await waiting.value == ImageForge.png())
        #expect(store.requests(forIconOf: "a") == 1)
        await manager.close()
    }
}
