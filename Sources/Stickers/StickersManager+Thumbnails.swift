public import FoundationEssentials
public import StoreLibrary
public import StoreModel

extension StickersManager {
    /// Returns a thumbnail of a sticker, from the cache or newly made.
    ///
    /// ```swift
    /// let smile = StickerName(productIdentifier: "org.example.cups", sticker: "smile")
    /// let thumbnail = try await manager.thumbnail(of: smile, size: .small)
    /// ```
    ///
    /// - Parameters:
    ///   - size: the maximum width and height; a thumbnail is not larger than its image.
    ///   - isAnimated: whether the thumbnail of an animated sticker is to move, if it would not be too large; it shows
    ///     the first frame otherwise.
    /// - Throws: `thumbnail.failed` and `thumbnail.unavailable`, after which the sticker itself can be shown;
    ///   `pack.not-installed`, `sticker.unknown`; a file error; `CancellationError`.
    public func thumbnail(
        of name: StickerName, size: ThumbnailSize = .medium, isAnimated: Bool = false
    ) async throws -> Thumbnail {
        let maker = try requireThumbnails()
        let (pack, index) = try await sticker(name)
        return try await maker.thumbnail(
            of: pack.content.stickers[index].file, in: library.directory(of: pack.pack), size: size,
            isAnimated: isAnimated)
    }

    /// Returns a contact sheet of a pack: a PNG with its stickers in a grid, in their order.
    ///
    /// - Throws: `pack.not-installed`, `content.bad-information`; `thumbnail.no-images` if the pack has no stickers;
    ///   `thumbnail.failed`, `thumbnail.unavailable`; `CancellationError`.
    public func contactSheet(of productIdentifier: String) async throws -> Data {
        let maker = try requireThumbnails()
        let pack = try await shown(installed(productIdentifier))
        guard !pack.content.stickers.isEmpty else {
            throw StoreError(.contactSheetWithoutImages, ["product": productIdentifier])
        }
        return try await maker.contactSheet(
            of: pack.content.stickers.map(\.file), in: library.directory(of: pack.pack))
    }

    private func requireThumbnails() throws(StoreError) -> any ThumbnailMaking {
        guard let thumbnails else {
            throw StoreError(.thumbnailsUnavailable, ["reason": "this program makes none"])
        }
        return thumbnails
    }
}
