/// A category of the emoji of a set, such as "Smileys & Emotion", with its emoji in the order of a picker.
public struct EmojiCategory: Sendable, Hashable, Codable {
    /// A part of a category, such as "face-smiling".
    public struct Subgroup: Sendable, Hashable, Codable {
        /// The name of the subgroup; empty if the category has no subgroups.
        public var name: String
        /// The emoji in order.
        public var emoji: [String]

        /// Creates a part of a category.
        public init(name: String, emoji: [String]) {
            self.name = name
            self.emoji = emoji
        }
    }

    /// The name of the category; `nil` for the emoji of a set without categories.
    @OrNull public var name: String?
    /// The subgroups of the category in order.
    public var subgroups: [Subgroup]

    /// Creates a category of emoji.
    public init(name: String?, subgroups: [Subgroup]) {
        self.subgroups = subgroups
        self.name = name
    }
}
