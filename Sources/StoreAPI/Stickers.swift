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
                    + "`/v1/packs/{productIdentifier}/files/{cover}?operation={operation}`."),
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
            .required("file", .nonEmptyText, "Relative to the pack's directory."),
            .required("path", .nonEmptyText, "The absolute path of the image file."),
            .required(
                "url", .nonEmptyText,
                "The path and query of the image in this API; it names the version of the pack, so that the image is "
                    + "always this one."),
            .required("emoji", .array(of: .text)),
            .required("keywords", .array(of: .text)),
            .required("description", Schema.localizedText.nullable),
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
            .required("mediaType", .nonEmptyText, "The type of the content, such as `image/webp`."),
            .required("width", .count, "In pixels; 0 for an SVG that requests none."),
            .required("height", .count, "In pixels; 0 for an SVG that requests none."),
            .required("size", .count, "The size of the file in bytes."),
            .required("animated", .boolean),
        ])
}
