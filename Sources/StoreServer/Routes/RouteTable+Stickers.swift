import StoreAPI
import StoreEngine
import StoreLibrary

extension RouteTable {
    /// `/v1/stickers`: the sticker packs as a tray shows them.
    mutating func addStickers(_ manager: StoreManager) {
        get(
            "/v1/stickers", Endpoint("stickerPacks", "All sticker packs.", .ok("StickerPackList", "By identifier."))
        ) { request in
            try request.answer(StickerPackList(packs: await manager.stickers.packs()))
        }
        get(
            "/v1/stickers/:id",
            Endpoint("stickerPack", "One sticker pack.", .ok("StickerPack", "The pack."), problems: [.packMissing])
        ) { request in
            try request.answer(await manager.stickers.pack(request.identifier()))
        }
    }
}
