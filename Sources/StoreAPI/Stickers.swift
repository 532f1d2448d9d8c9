public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/stickers`: the installed sticker packs.
public struct StickerPackList: Sendable, Codable {
    /// The installed sticker packs, in the user's order.
    public var packs: [StickerPack]
    /// Creates the response with the installed sticker packs.
    public init(packs: [StickerPack]) { self.packs = packs }
}

extension StickerPackList: SchemaProviding {
    public static let schemaName = "StickerPackList"
    public static let schema = Schema.document(
        "The installed sticker packs.", [.required("packs", .array(of: StickerPack.self))])
}

extension StickerPack: SchemaProviding {
    public static let schemaName = "StickerPack"
    public static let schema = Schema.document(
        "A sticker pack with its stickers.",
        .ofInstalledContent + [
            .required(
                "cover", .text.nullable,
                "The image that represents the pack, relative to its directory. It is served at "
                    + "`/v1/packs/{productIdentifier}/files/{cover}?operation={operation}`, and a thumbnail of it below "
                    + "`thumbnails` instead of `files`."),
            .required("stickers", .array(of: Sticker.self)),
            .required("count", .count),
        ])
}

extension Sticker: SchemaProviding {
    public static let schemaName = "Sticker"
    public static let schema = Schema.document(
        "One sticker of a pack.",
        [
            .required("id", .text, "Unique in the pack."),
            .required(
                "file", .nonEmptyText,
                "The path of the image file, relative to the pack's directory. For a sticker that was fetched without its "
                    + "pack, the SHA-256 of the image; `path` and `url` lead to the image of any sticker."),
            .required("path", .nonEmptyText, "The absolute path of the image file."),
            .required(
                "url", .nonEmptyText,
                "The path and query of the image in this API; it names the version of the pack, so that the image is "
                    + "always this one."),
            .required(
                "thumbnail", .nonEmptyText.nullable,
                "The path and query of a thumbnail of the image in this API, with the version of the pack. Further "
                    + "parameters of the query are `size` and `animated`. `null` for a sticker whose pack is not "
                    + "installed."),
            .required("emoji", .array(of: .text)),
            .required("keywords", .array(of: .text)),
            .required(
                "description", Schema.localizedText.nullable,
                Schema.localizedNote("What the sticker shows; `null` if the pack does not say.")),
            .required(
                "image", .reference(to: StickerImage.self).nullable,
                "`null` if the image can't be read, or, in lists of packs and in search results, was not read yet; a "
                    + "request for the pack reads it."),
        ])
}

extension StickerImage: SchemaProviding {
    public static let schemaName = "StickerImage"
    public static let schema = Schema.document(
        "The properties of a sticker's image.",
        [
            .required(
                "mediaType", .nonEmptyText,
                "The type of the content, such as `image/webp`. An `<img>` draws the types that begin with `image/`; the "
                    + "others are `video/webm` and `application/x-tgsticker`, a Lottie animation in gzip."),
            .required(
                "width", .count,
                "In pixels; 0 for an SVG that requests none, and for an animation as TGS or WebM."),
            .required("height", .count, "In pixels; 0 where `width` is."),
            .required("size", .count, "The size of the file in bytes."),
            .required("animated", .boolean),
        ])
}
