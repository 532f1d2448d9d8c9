public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/emoji/{id}/search`: the emoji that a search found.
public struct EmojiMatchList: Sendable, Codable {
    /// The found emoji; those that have all words whole come first, then in the order of the picker.
    public var emoji: [EmojiMatch]
    /// Creates the response with the found emoji.
    public init(emoji: [EmojiMatch]) { self.emoji = emoji }
}

extension EmojiMatchList: SchemaProviding {
    public static let schemaName = "EmojiMatchList"
    public static let schema = Schema.document(
        "The emoji that a search found.",
        [
            .required(
                "emoji", .array(of: EmojiMatch.self),
                "Those that have all words whole come first; both parts are in the order of the picker.")
        ])
}

extension EmojiMatch: SchemaProviding {
    public static let schemaName = "EmojiMatch"
    public static let schema = Schema.document(
        "An emoji that a search found.",
        [
            .required("emoji", .nonEmptyText),
            .required("name", .text.nullable, "The short name in the language of the search."),
            .required("keywords", .array(of: .text), "The words by which the emoji is found."),
            .required("category", .text.nullable, "`null` if the set has no categories."),
        ])
}
