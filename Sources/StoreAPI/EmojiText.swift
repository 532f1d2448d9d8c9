public import StoreModel
public import StoreOpenAPI

extension EmojiTextSpan: TextSpan {
    public static let textDocumentName = "EmojiText"
    public static let textDocumentPurpose = "Where emoji, emoticons and shortcodes are in a text."
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
