public import FoundationEssentials

/// The image of an emoji in a set.
public struct EmojiPicture: Sendable, Hashable {
    /// The emoji that the image shows; without skin tones if the set has no image with the requested ones.
    public let emoji: String
    /// The complete image file.
    public let data: Data
    /// The media type of the image's content, such as `image/png`.
    public let mediaType: String
}
