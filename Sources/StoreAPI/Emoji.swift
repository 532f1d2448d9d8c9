public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/emoji`: the installed emoji sets.
public struct EmojiSetList: Sendable, Codable {
    /// The installed emoji sets, in the order of their directories.
    public var sets: [EmojiSet]
    /// Creates the response with the installed emoji sets.
    public init(sets: [EmojiSet]) { self.sets = sets }
}

extension EmojiSetList: SchemaProviding {
    public static let schemaName = "EmojiSetList"
    public static let schema = Schema.document(
        "The installed emoji sets.", [.required("sets", .array(of: EmojiSet.self))])
}

extension EmojiSet: SchemaProviding {
    public static let schemaName = "EmojiSet"
    public static let schema = Schema.document(
        "An emoji set with its emoji.",
        .ofInstalledContent + [
            .required(
                "emoji", .array(of: Emoji.self),
                "In the order in which they are shown. The image of each is at `/v1/emoji/{id}/images/{number}`, where "
                    + "`number` is its position in this list, counted from 0."),
            .required("count", .count),
        ])
}

extension Emoji: SchemaProviding {
    public static let schemaName = "Emoji"
    public static let schema = Schema.document(
        "One emoji of a set.",
        [
            .required("text", .nonEmptyText, "The emoji itself."),
            .required("category", .text.nullable, "`null` if the set has no categories."),
            .required(
                "file", .nonEmptyText.nullable,
                "The image, relative to the set's directory; `null` if it is in the set's compiled file."),
        ])
}
