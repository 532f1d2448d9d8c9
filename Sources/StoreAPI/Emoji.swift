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

extension EmojiUse: SchemaProviding {
    public static let schemaName = "EmojiUse"
    public static let schema = Schema.document(
        "The emoji set in use, and whether it is the chosen one.",
        [
            .required("set", .nonEmptyText.nullable, "The productIdentifier; `null` if no set is in use."),
            .required("version", .version),
            .required("chosen", .nonEmptyText.nullable, "The set that was chosen; `null` if none was."),
            .required(
                "problem", .reference(to: ErrorReport.self).nullable,
                "Why the chosen set is not in use; `null` if it is."),
        ])
}

/// The JSON body of the request `PUT /v1/emoji-set` to the daemon: the emoji set to use.
public struct EmojiSetRequest: Sendable, Codable {
    /// The product identifier of the emoji set to use.
    public var identifier: String
    /// Creates the request to use an emoji set.
    public init(identifier: String) { self.identifier = identifier }
}

extension EmojiSetRequest: SchemaProviding {
    public static let schemaName = "EmojiSetRequest"
    public static let schema = Schema.request("The emoji set to use.", [.required("identifier", .nonEmptyText)])
}
