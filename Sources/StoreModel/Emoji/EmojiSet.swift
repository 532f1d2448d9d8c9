/// An installed emoji set: its name, version, directory and emoji.
public struct EmojiSet: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var name: LocalizedText
    @OrNull public var version: Version?
    /// The identifier of the operation that installed this version of the emoji set.
    ///
    /// `nil` for an unmanaged set, which a user placed by hand.
    @OrNull public var operation: OperationID?
    /// The absolute path of the emoji set's directory.
    public var path: String
    /// The emoji in the order in which an application shows them.
    public var emoji: [Emoji]
    public var count: Int
    public var publisher: String?
    public var license: String?

    public init(
        productIdentifier: String, name: LocalizedText, publisher: String? = nil, license: String? = nil,
        version: Version? = nil, operation: OperationID? = nil, path: String, emoji: [Emoji]
    ) {
        (self.productIdentifier, self.name, self.path) = (productIdentifier, name, path)
        (self.publisher, self.license) = (publisher, license)
        self.version = version
        self.operation = operation
        self.emoji = emoji
        count = emoji.count
    }
}

/// One emoji of an emoji set: the character, and where its image is.
public struct Emoji: Sendable, Hashable, Codable {
    /// The emoji as text, such as 😀.
    public var text: String
    /// The category of the emoji, such as `smileys`; `nil` if the set has none.
    @OrNull public var category: String?
    /// The path of the emoji's image file, relative to the set's directory.
    ///
    /// `nil` if the image is in the set's compiled file, which has the images of many emoji.
    @OrNull public var file: String?

    public init(text: String, category: String? = nil, file: String? = nil) {
        self.text = text
        self.category = category
        self.file = file
    }
}
