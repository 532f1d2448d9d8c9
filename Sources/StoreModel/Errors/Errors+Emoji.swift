extension ErrorCode {
    /// The images in a pack's compiled emoji file overlap or lie outside the file.
    public static let emojiDamaged = ErrorCode("content.emoji-damaged", .refused)
}

extension ErrorTemplate {
    public static let emojiImageOutside = ErrorTemplate(
        .emojiDamaged,
        "image {number} of the compiled emoji file '{path}' overlaps other data or lies outside the file",
        hint: .reportToPublisher)
    public static let emojiSetNotInstalled = ErrorTemplate(
        .packMissing, variant: "emoji-set", "the emoji set '{product}' is not installed")
    public static let noSuchEmoji = ErrorTemplate(
        .servedFileMissing, variant: "emoji", "'{product}' has no emoji {number}: it has {count}, counted from 0")
    /// Context that names the damaged image in a compiled emoji file; arguments `number`, `path`.
    public static let imageInEmojiFile = ErrorTemplate(
        context: "image-in-emoji-file", "could not use image {number} of the compiled emoji file '{path}': {cause}",
        hint: .reportToPublisher)
}
