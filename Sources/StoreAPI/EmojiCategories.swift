public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/emoji/{id}/categories`: the categories of an emoji set.
public struct EmojiCategoryList: Sendable, Codable {
    /// The categories in the order of a picker.
    public var categories: [EmojiCategory]
    /// Creates the response with the categories of an emoji set.
    public init(categories: [EmojiCategory]) { self.categories = categories }
}

extension EmojiCategoryList: SchemaProviding {
    public static let schemaName = "EmojiCategoryList"
    public static let schema = Schema.document(
        "The categories of an emoji set, in the order of a picker.",
        [.required("categories", .array(of: EmojiCategory.self))])
}

extension EmojiCategory: SchemaProviding {
    public static let schemaName = "EmojiCategory"
    public static let schema = Schema.document(
        "A category of emoji.",
        [
            .required("name", .text.nullable, "`null` if the set has no categories."),
            .required("subgroups", .array(of: EmojiCategory.Subgroup.self)),
        ])
}

extension EmojiCategory.Subgroup: SchemaProviding {
    public static let schemaName = "EmojiSubgroup"
    public static let schema = Schema.document(
        "A part of a category of emoji.",
        [
            .required("name", .text, "Empty if the category has no subgroups."),
            .required(
                "emoji", .array(of: .nonEmptyText),
                "The emoji in order. The image of each is at `/v1/emoji/{id}/pictures/{emoji}`."),
        ])
}
