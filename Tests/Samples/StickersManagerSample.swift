import StoreDatabase
import StoreLibrary
import StoreModel
import StoreStickers

private func stickersManagerSample(library: Library, database: LibraryDatabase) async throws {
    // sample
    let manager = StickersManager(library: library, database: database)
    for pack in try await manager.packs() {
        print(pack.productIdentifier, pack.count)
    }
    for found in try await manager.search(StickerQuery("laugh")).stickers {
        print(found.sticker.id, found.sticker.path)
    }
    try await manager.recordUses(of: [StickerName(productIdentifier: "org.example.cups", sticker: "smile")])
    print(try await manager.recents().map(\.sticker.id))
    // end
}
