public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/stickers`: the installed sticker packs.
public struct StickerPackList: Sendable, Codable {
    /// The installed sticker packs, in the order of their product identifiers.
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
            .required(
                "file", .nonEmptyText,
                "Relative to the pack's directory. It is served at "
                    + "`/v1/packs/{productIdentifier}/files/{file}?operation={operation}`."),
            .required("emoji", .array(of: .text)),
            .required("keywords", .array(of: .text)),
            .required("description", Schema.localizedText.nullable),
        ])
}
