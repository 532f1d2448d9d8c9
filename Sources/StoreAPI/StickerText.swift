public import StoreModel
public import StoreOpenAPI

extension StickerReferenceSpan: TextSpan {
    public static let textDocumentName = "StickerText"
    public static let textDocumentPurpose = "Where references to stickers are in a text."
}

extension StickerReferenceSpan: SchemaProviding {
    public static let schemaName = "StickerReferenceSpan"
    public static let schema = Schema.document(
        "A place in a text that is a reference to a sticker.",
        [
            .required("reference", .nonEmptyText, "The reference, which can be resolved."),
            .required(
                "emoji", .nonEmptyText.nullable,
                "The sender's replacement text for the sticker; `null` if the sender sent none."),
            .required("productIdentifier", .nonEmptyText),
            .required("sticker", .nonEmptyText, "Its `id` in the sender's version of the pack."),
            .required("start", .count, "The position of the first unit, counted from 0."),
            .required("end", .count, "The position after the last unit."),
        ])
}
