public import FoundationEssentials
public import StoreAPI
public import StoreModel

extension StoreClient {
    // MARK: Stickers

    /// Returns the installed sticker packs with their stickers, in the user's order.
    ///
    /// The properties of images are those that the daemon has read; ``stickerPack(_:)`` reads them.
    public func stickerPacks() async throws -> [StickerPack] {
        try await get(Resource("stickers"), as: StickerPackList.self).packs
    }

    /// Returns the installed sticker pack of a product, with its stickers and the properties of their images.
    public func stickerPack(_ productIdentifier: String) async throws -> StickerPack {
        try await get(Resource("stickers", productIdentifier))
    }

    /// Returns the stickers that match words, emoji and emoticons, the best first.
    ///
    /// - Parameters:
    ///   - text: the words, emoji and emoticons, all of which a sticker must match.
    ///   - pack: the product identifier of the only pack to search; `nil` searches all.
    ///   - limit: the maximum number of stickers; `nil` is the daemon's own limit.
    public func searchStickers(
        _ text: String, pack: String? = nil, limit: Int? = nil
    ) async throws -> InstalledStickerList {
        let resource = Resource("stickers", "search").with("words", text.isEmpty ? nil : text).with("pack", pack)
        return try await get(resource.with("limit", limit.map(String.init)))
    }

    /// Returns the stickers that were sent last, the newest first.
    public func recentStickers() async throws -> [InstalledSticker] {
        try await get(Resource("stickers", "recents"), as: InstalledStickerList.self).stickers
    }

    /// Returns the stickers that were sent most often, the most frequent first.
    public func frequentStickers() async throws -> [InstalledSticker] {
        try await get(Resource("stickers", "frequent"), as: InstalledStickerList.self).stickers
    }

    /// Records that stickers were sent, one after another, and returns the recent stickers.
    @discardableResult
    public func stickersSent(_ stickers: [StickerName]) async throws -> [InstalledSticker] {
        let list: InstalledStickerList = try await ask(
            "POST", Resource("stickers", "sent"), body: SentStickers(stickers: stickers))
        return list.stickers
    }

    /// Forgets that a sticker was sent, or, for `nil`, which stickers were.
    public func forgetStickers(_ sticker: StickerName? = nil) async throws {
        let resource =
            sticker.map { Resource("stickers", "recents", $0.productIdentifier, $0.sticker) }
            ?? Resource("stickers", "recents")
        try await exchange("DELETE", resource)
    }

    /// Returns the favourite stickers, in the order in which they were added.
    public func favouriteStickers() async throws -> [InstalledSticker] {
        try await get(Resource("stickers", "favourites"), as: InstalledStickerList.self).stickers
    }

    /// Adds a sticker to the favourites, or removes it.
    public func setFavourite(_ sticker: StickerName, _ isFavourite: Bool) async throws {
        try await exchange(
            isFavourite ? "PUT" : "DELETE",
            Resource("stickers", "favourites", sticker.productIdentifier, sticker.sticker))
    }

    /// Returns the product identifiers of the sticker packs whose order the user has set, in order.
    public func stickerPackOrder() async throws -> [String] {
        try await get(Resource("stickers", "order"), as: StickerPackOrder.self).packs
    }

    /// Sets the order of the sticker packs, by their product identifiers; the other packs follow.
    @discardableResult
    public func setStickerPackOrder(_ packs: [String]) async throws -> [String] {
        let order: StickerPackOrder = try await ask(
            "PUT", Resource("stickers", "order"), body: StickerPackOrderRequest(packs: packs))
        return order.packs
    }

    // MARK: References

    /// Returns a contact sheet of a sticker pack: a PNG with its stickers in a grid.
    public func stickerSheet(_ productIdentifier: String) async throws -> Data {
        let (sheet, _) = try await content(of: Resource("stickers", productIdentifier, "sheet"))
        return sheet
    }

    /// Returns a thumbnail of an image in a pack, and its media type; the image itself if there is no thumbnail of it.
    ///
    /// - Parameters:
    ///   - file: the path of the image relative to the pack's directory, such as ``Sticker/file`` or ``StickerPack/cover``.
    ///   - size: the maximum width and height.
    ///   - isAnimated: whether the thumbnail of an animated image is to move, if it would not be too large.
    ///   - operation: the operation that installed the version of the pack; `nil` is the installed version.
    public func thumbnail(
        of file: String, in productIdentifier: String, size: ThumbnailSize = .medium, isAnimated: Bool = false,
        operation: OperationID? = nil
    ) async throws -> (image: Data, mediaType: String?) {
        let resource = Resource("packs", productIdentifier, "thumbnails").below(file)
            .with("size", String(size.pixels)).with("operation", operation?.rawValue)
        return try await content(of: resource.with("animated", isAnimated ? "true" : nil))
    }

    /// Returns a reference to an installed sticker, a text for a message.
    public func stickerReference(to sticker: StickerName) async throws -> String {
        let resource = Resource("stickers", sticker.productIdentifier, sticker.sticker, "reference")
        return try await get(resource, as: StickerReferenceDocument.self).reference
    }

    /// Returns where references to stickers are in the text of a message; nothing is looked up.
    ///
    /// - Parameter unit: the unit in which positions are counted.
    public func stickerReferences(in text: String, unit: TextUnit = .utf16) async throws -> [StickerReferenceSpan] {
        let body = MessageTextRequest(text: text, unit: unit)
        let document: MessageTextDocument<StickerReferenceSpan> = try await ask(
            "POST", Resource("sticker-text"), body: body)
        return document.spans
    }

    /// Returns what a sticker reference in a message stands for; the daemon fetches nothing, unless its settings allow it.
    public func resolveSticker(_ reference: String) async throws -> StickerResolution {
        try await get(Resource("stickers", "resolve").with("reference", reference))
    }

    /// Fetches the sticker that a reference stands for, and nothing else of its pack; call it at the user's request.
    public func fetchSticker(_ reference: String) async throws -> StickerResolution {
        try await ask("POST", Resource("stickers", "resolve"), body: StickerFetchRequest(reference: reference))
    }
}
