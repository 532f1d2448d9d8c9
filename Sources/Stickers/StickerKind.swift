public import StoreImages
public import StoreLibrary
public import StoreModel
public import StoreSystem

/// The rules for sticker packs as a kind of content: directories `NAME.stickers` with images and text.
public struct StickerKind: ContentKind {
    public let kind = ProductKind.sticker
    public let folderExtension = "stickers"

    private let rules: FileRules

    /// Creates the rules for sticker packs, with the limits of their images.
    public init(images: ImageLimits = ImageLimits()) { rules = FileRules(.sticker, [.images(images), .texts()]) }

    /// Checks a sticker pack: the files that its information file names must exist and be images.
    ///
    /// In a pack without an information file all images are stickers.
    public func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        let files = try rules.check(pack, cancellation: cancellation)
        let reader = StickerPackReader(pack)
        let named = try reader.stickers().map(\.file) + [reader.cover()].compactMap { $0 }
        for name in named {
            if let content = files[name], !content.isImage {
                throw StoreError(
                    .informationNamesNoImage,
                    ["file": PackInformation.fileName, "name": .untrusted(name), "content": content.title])
            }
        }
    }
}
