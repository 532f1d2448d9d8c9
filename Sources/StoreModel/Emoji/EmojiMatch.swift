/// An emoji that a search in a set found.
public struct EmojiMatch: Sendable, Hashable, Codable {
    /// The emoji itself.
    public var emoji: String
    /// The short name of the emoji in the language of the search; `nil` if the set has none.
    @OrNull public var name: String?
    /// The words by which the emoji is found in that language.
    public var keywords: [String]
    /// The category of the emoji; `nil` if the set has none.
    @OrNull public var category: String?

    /// Creates a result of a search.
    public init(emoji: String, name: String?, keywords: [String], category: String?) {
        self.emoji = emoji
        self.keywords = keywords
        self.name = name
        self.category = category
    }
}
