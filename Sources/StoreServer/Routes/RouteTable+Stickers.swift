import Hummingbird
import StoreAPI
import StoreEngine
import StoreLibrary
import StoreModel
import StoreOpenAPI
import StoreStickers

extension RouteTable {
    /// Adds the HTTP routes below `/v1/stickers`: the sticker packs, the search, the user's lists, and references.
    ///
    /// A pack whose identifier is the name of one of the lists is requested with one of its characters percent-encoded.
    mutating func addStickers(_ manager: StoreManager) {
        get(
            "/v1/stickers",
            Endpoint(
                "stickerPacks",
                "All sticker packs. Names and descriptions have all languages.",
                .ok(StickerPackList.self, "The sticker packs, in the user's order."))
        ) { request in
            try request.response(StickerPackList(packs: await manager.stickers.packs()))
        }
        get(
            "/v1/stickers/search",
            Endpoint(
                "searchStickers", "Finds stickers by words and emoji.",
                [
                    .query(
                        "words", .text,
                        "Words, emoji and emoticons, all of which a sticker must match. A word is the beginning of one in "
                            + "the keywords, the description, the identifier or the pack's name. All match by default."),
                    .query("pack", .nonEmptyText, "Only stickers of the pack with this `productIdentifier`."),
                    .query("limit", .integer(in: 1...1_000), "The maximum number of stickers; 100 by default."),
                ],
                .ok(example: InstalledStickerList.exampleOfSearch, "The stickers, the best first."))
        ) { request in
            let limit = try request.query("limit", expected: "a number") { Int($0) }
            let found = try await manager.stickers.search(
                StickerQuery(request.query("words") ?? "", pack: request.query("pack"), limit: limit ?? 100))
            let list = InstalledStickerList(stickers: found.stickers, total: found.total)
            return request.response(try list.json(), mediaType: "application/json")
        }
        addUsedStickers(manager)
        addFavouriteStickers(manager)
        addStickerReferences(manager)
        addContactSheets(manager)
        get(
            "/v1/stickers/:id",
            Endpoint(
                "stickerPack", "One sticker pack, with the properties of its images.",
                .ok(StickerPack.self, "The sticker pack."), errors: [.packMissing])
        ) { request in
            try request.response(await manager.stickers.pack(request.identifier()))
        }
    }

    /// Adds the HTTP routes for the stickers that were sent.
    private mutating func addUsedStickers(_ manager: StoreManager) {
        get(
            "/v1/stickers/recents",
            Endpoint(
                "recentStickers", "The stickers that were sent last.",
                .ok(InstalledStickerList.self, "The stickers, the newest first."))
        ) { request in
            try request.response(InstalledStickerList(stickers: await manager.stickers.recents()))
        }
        get(
            "/v1/stickers/frequent",
            Endpoint(
                "frequentStickers", "The stickers that were sent most often; recent uses count more.",
                .ok(InstalledStickerList.self, "The stickers, the most frequent first."))
        ) { request in
            try request.response(InstalledStickerList(stickers: await manager.stickers.frequent()))
        }
        on(
            .post, "/v1/stickers/sent",
            Endpoint(
                "stickersSent", "Records that stickers were sent.", body: SentStickers.self,
                .ok(InstalledStickerList.self, "The recent stickers, with these as the first."),
                errors: [.packMissing, .stickerMissing])
        ) { request in
            try await manager.stickers.recordUses(of: request.body(SentStickers.self).stickers)
            return try .json(InstalledStickerList(stickers: await manager.stickers.recents()))
        }
        on(
            .delete, "/v1/stickers/recents",
            Endpoint(
                "forgetStickers", "Forgets which stickers were sent.",
                .noContent("There are no recent and no frequent stickers."))
        ) { _ in
            try await manager.stickers.forgetAllUses()
            return Response(status: .noContent)
        }
        on(
            .delete, "/v1/stickers/recents/:id/:sticker",
            Endpoint(
                "forgetSticker", "Forgets that a sticker was sent.", [.sticker],
                .noContent("The sticker is neither a recent nor a frequent one."), errors: [.stickerNotInList])
        ) { request in
            try await manager.stickers.forgetUses(of: request.stickerName())
            return Response(status: .noContent)
        }
    }

    /// Adds the HTTP routes for favourite stickers, and for the order of the packs.
    private mutating func addFavouriteStickers(_ manager: StoreManager) {
        get(
            "/v1/stickers/favourites",
            Endpoint(
                "favouriteStickers", "The favourite stickers.",
                .ok(InstalledStickerList.self, "The stickers, in the order in which they were added."))
        ) { request in
            try request.response(InstalledStickerList(stickers: await manager.stickers.favourites()))
        }
        on(
            .put, "/v1/stickers/favourites/:id/:sticker",
            Endpoint(
                "addFavouriteSticker", "Adds a sticker to the favourites. A favourite keeps its place.", [.sticker],
                .noContent("The sticker is a favourite."), errors: [.packMissing, .stickerMissing, .stickersTooMany])
        ) { request in
            try await manager.stickers.addFavourite(request.stickerName())
            return Response(status: .noContent)
        }
        on(
            .delete, "/v1/stickers/favourites/:id/:sticker",
            Endpoint(
                "removeFavouriteSticker", "Removes a sticker from the favourites.", [.sticker],
                .noContent("The sticker is no favourite."), errors: [.stickerNotInList])
        ) { request in
            try await manager.stickers.removeFavourite(request.stickerName())
            return Response(status: .noContent)
        }
        get(
            "/v1/stickers/order",
            Endpoint(
                "stickerPackOrder", "The user's order of the sticker packs.",
                .ok(StickerPackOrder.self, "The packs whose order the user has set."))
        ) { request in
            try request.response(StickerPackOrder(packs: await manager.stickers.lists().order))
        }
        on(
            .put, "/v1/stickers/order",
            Endpoint(
                "orderStickerPacks", "Sets the order of the sticker packs.", body: StickerPackOrderRequest.self,
                .ok(StickerPackOrder.self, "The order is set."), errors: [.packMissing])
        ) { request in
            try await manager.stickers.setOrder(request.body(StickerPackOrderRequest.self).packs)
            return try .json(StickerPackOrder(packs: await manager.stickers.lists().order))
        }
    }
}

extension APIRequest {
    /// Returns the sticker that the request's path names.
    ///
    /// - Throws: `request.malformed`.
    func stickerName() throws -> StickerName {
        StickerName(productIdentifier: try identifier(), sticker: try identifier("sticker"))
    }
}

extension Parameter {
    /// The path parameter with the identifier of a sticker.
    static let sticker = Parameter.path("sticker", .nonEmptyText, "The `id` of a sticker.", example: "smile")
}
