/// The contents of an emoji set in memory: groups of emoji in the order of a picker, with images, names and keywords.
///
/// A description is what compiled files are written from, and what is read back from them.
public struct EmojiSetDescription: Sendable, Hashable {
    /// A category of emoji, such as "Smileys & Emotion", with its subgroups in order.
    public struct Group: Sendable, Hashable {
        /// The name of the category.
        public var name: String
        /// The subgroups in order; a category without subgroups has one whose name is empty.
        public var subgroups: [Subgroup]

        /// Creates a category of emoji.
        public init(name: String, subgroups: [Subgroup]) {
            self.name = name
            self.subgroups = subgroups
        }
    }

    /// A part of a category of emoji, such as "face-smiling".
    public struct Subgroup: Sendable, Hashable {
        /// The name of the subgroup; empty if its category has no subgroups.
        public var name: String
        /// The emoji of the subgroup in order.
        public var emoji: [Item]

        /// Creates a part of a category of emoji.
        public init(name: String = "", emoji: [Item]) {
            self.name = name
            self.emoji = emoji
        }
    }

    /// One emoji with its images, and its names and keywords by language.
    public struct Item: Sendable, Hashable {
        /// The code points of the emoji.
        public var sequence: EmojiSequence
        /// The images of the emoji, the preferred first.
        public var images: [EmojiImage]
        /// The name and the keywords of the emoji by language tag, such as `en`.
        public var texts: [String: EmojiNames]

        /// Creates an emoji with its images and texts.
        public init(sequence: EmojiSequence, images: [EmojiImage] = [], texts: [String: EmojiNames] = [:]) {
            self.sequence = sequence
            self.images = images
            self.texts = texts
        }
    }

    /// The categories in order.
    public var groups: [Group]

    /// Creates the contents of an emoji set.
    public init(groups: [Group] = []) { self.groups = groups }

    /// All emoji in order.
    public var items: [Item] { groups.flatMap { $0.subgroups.flatMap(\.emoji) } }

    /// Calls a function with each emoji, which it may change.
    public mutating func updateEach(_ update: (inout Item) throws -> Void) rethrows {
        for group in groups.indices {
            for subgroup in groups[group].subgroups.indices {
                for index in groups[group].subgroups[subgroup].emoji.indices {
                    try update(&groups[group].subgroups[subgroup].emoji[index])
                }
            }
        }
    }

    /// Removes the emoji without an image, and then the subgroups and categories without emoji.
    ///
    /// - Returns: the removed emoji.
    public mutating func removeImageless() -> [EmojiSequence] {
        let removed = items.filter(\.images.isEmpty).map(\.sequence)
        for group in groups.indices {
            for subgroup in groups[group].subgroups.indices {
                groups[group].subgroups[subgroup].emoji.removeAll(where: \.images.isEmpty)
            }
            groups[group].subgroups.removeAll(where: \.emoji.isEmpty)
        }
        groups.removeAll(where: \.subgroups.isEmpty)
        return removed
    }
}

/// The name and the keywords of an emoji in one language.
public struct EmojiNames: Sendable, Hashable {
    /// The short name, such as "grinning face"; empty if there is none.
    public var name: String
    /// The words by which the emoji is found, in the order of their source.
    public var keywords: [String]

    /// Creates the name and the keywords of an emoji.
    public init(name: String = "", keywords: [String] = []) {
        self.name = name
        self.keywords = keywords
    }
}
