import Engine
import StoreAPI

extension RouteTable {
    /// `/v1/stickers`: the sticker packs as a tray shows them.
    mutating func addStickers(_ manager: StoreManager) {
        get("/v1/stickers") { _ in
            try .json(StickerPackList(packs: await manager.stickers.packs()))
        }
        get("/v1/stickers/:id") { call in
            try .json(await manager.stickers.pack(call.identifier()))
        }
    }
}
