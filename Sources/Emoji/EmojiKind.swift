public import Library
public import StoreModel

/// Emoji sets: `NAME.emoji`.
public struct EmojiKind: ContentKind {
    public let kind = ProductKind.emoji
    public let folderExtension = "emoji"

    public init() {}
}
