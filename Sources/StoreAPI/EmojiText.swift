public import StoreModel
public import StoreOpenAPI

/// The JSON body of the request `POST /v1/emoji-text` to the daemon: the text of a message.
public struct EmojiTextRequest: Sendable, Codable {
    /// The maximum length of the text in Unicode scalar values.
    public static let maximumLength = 65_536

    /// The text of the message.
    public var text: String
    /// The unit in which positions are counted; `nil` is UTF-16.
    public var unit: TextUnit?

    /// Creates the request to find emoji in a text.
    public init(text: String, unit: TextUnit? = nil) {
        self.text = text
        self.unit = unit
    }
}

extension EmojiTextRequest: SchemaProviding {
    public static let schemaName = "EmojiTextRequest"
    public static let schema = Schema.request(
        "The text of a message.",
        [
            .required("text", .text),
            .optional(
                "unit", .enumeration(of: TextUnit.self),
                "The unit of positions: code units of UTF-16 (the default), bytes of UTF-8, or Unicode scalar values."),
        ])
}

/// The daemon's JSON response to `POST /v1/emoji-text`: where emoji are in a text.
public struct EmojiTextDocument: Sendable, Codable {
    /// The unit in which the positions are counted.
    public var unit: TextUnit
    /// The emoji, emoticons and shortcodes, in the order of the text; they do not overlap.
    public var spans: [EmojiTextSpan]
    /// Creates the response with the places in a text.
    public init(unit: TextUnit, spans: [EmojiTextSpan]) {
        self.unit = unit
        self.spans = spans
    }
}

extension EmojiTextDocument: SchemaProviding {
    public static let schemaName = "EmojiText"
    public static let schema = Schema.document(
        "Where emoji, emoticons and shortcodes are in a text.",
        [
            .required("unit", .enumeration(of: TextUnit.self), "The unit of positions."),
            .required(
                "spans", .array(of: EmojiTextSpan.self), "In the order of the text, without overlaps."),
        ])
}

extension EmojiTextSpan: SchemaProviding {
    public static let schemaName = "EmojiTextSpan"
    public static let schema = Schema.document(
        "A place in a text that is shown as an emoji.",
        [
            .required(
                "kind", .enumeration(of: EmojiTextSpan.Kind.self),
                "The emoji itself, an emoticon such as `:-)`, or a shortcode such as `:smile:`."),
            .required("text", .nonEmptyText, "The text of the place."),
            .required("emoji", .nonEmptyText, "The emoji to show."),
            .required("start", .count, "The position of the first unit, counted from 0."),
            .required("end", .count, "The position after the last unit."),
            .required(
                "image", .nonEmptyText.nullable,
                "The path of the image in the set in use; `null` if it has none. Show `emoji` as text then."),
        ])
}
