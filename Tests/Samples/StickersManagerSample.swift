import StoreLibrary
import StoreModel
import StoreStickers

private func stickersManagerSample(library: Library) async throws {
    // sample
    let manager = StickersManager(library: library)
    for pack in try await manager.packs() {
        print(pack.productIdentifier, pack.count)
    }
    let cups = try await manager.pack("org.example.cups")
    print(cups.stickers.map(\.id))
    // end
}
