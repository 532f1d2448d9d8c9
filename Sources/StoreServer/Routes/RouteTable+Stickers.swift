import StoreAPI
import StoreEngine
import StoreLibrary
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP routes below `/v1/stickers`: the installed sticker packs with their stickers.
    mutating func addStickers(_ manager: StoreManager) {
        get(
            "/v1/stickers",
            Endpoint(
                "stickerPacks",
                "All sticker packs. An image is served at `/v1/packs/{productIdentifier}/files/{file}?operation={operation}`. "
                    + "Names and descriptions have all languages.",
                .ok(StickerPackList.self, "The sticker packs, in the order of their identifiers."))
        ) { request in
            try request.response(StickerPackList(packs: await manager.stickers.packs()))
        }
        get(
            "/v1/stickers/:id",
            Endpoint(
                "stickerPack", "One sticker pack.", .ok(StickerPack.self, "The sticker pack."), errors: [.packMissing])
        ) { request in
            try request.response(await manager.stickers.pack(request.identifier()))
        }
    }
}
