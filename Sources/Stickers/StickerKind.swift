public import Files
public import Library
public import StoreModel

/// Sticker packs: `NAME.stickers`.
public struct StickerKind: ContentKind {
    public let kind = ProductKind.sticker
    public let folderExtension = "stickers"

    public init() {}

    /// A pack with an information file must have what it names; one without is all its images.
    public func check(_ pack: Directory) throws {
        let reader = StickerPackReader(pack)
        _ = try reader.stickers()
        _ = try reader.cover()
    }
}
