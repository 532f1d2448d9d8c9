public import StoreModel
public import StoreOpenAPI

/// The JSON body of the request `POST /v1/sticker-text` to the daemon: the text of a message.
public struct StickerTextRequest: Sendable, Codable {
    /// The text of the message.
    public var text: String
    /// The unit in which positions are counted; `nil` is UTF-16.
    public var unit: TextUnit?

    /// Creates the request to find references to stickers in a text.
    public init(text: String, unit: TextUnit? = nil) {
        self.text = text
        self.unit = unit
    }
}

extension StickerTextRequest: SchemaProviding {
    public static let schemaName = "StickerTextRequest"
    public static let schema = Schema.request(
        "The text of a message.",
        [
            .required("text", .text),
            .optional(
                "unit", .enumeration(of: TextUnit.self),
                "The unit of positions: code units of UTF-16 (the default), bytes of UTF-8, or Unicode scalar values."),
        ])
}

/// The daemon's JSON response to `POST /v1/sticker-text`: where references to stickers are in a text.
public struct StickerTextDocument: Sendable, Codable {
    /// The unit in which the positions are counted.
    public var unit: TextUnit
    /// The references, in the order of the text; they do not overlap.
    public var spans: [StickerReferenceSpan]
    /// Creates the response with the places in a text.
    public init(unit: TextUnit, spans: [StickerReferenceSpan]) {
        self.unit = unit
        self.spans = spans
    }
}

extension StickerTextDocument: SchemaProviding {
    public static let schemaName = "StickerText"
    public static let schema = Schema.document(
        "Where references to stickers are in a text.",
        [
            .required("unit", .enumeration(of: TextUnit.self), "The unit of positions."),
            .required("spans", .array(of: StickerReferenceSpan.self), "In the order of the text, without overlaps."),
        ])
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
