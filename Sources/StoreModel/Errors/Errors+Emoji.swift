extension ErrorCode {
    /// The header of a compiled emoji file contradicts the positions of the file's parts.
    public static let emojiDamaged = ErrorCode("content.emoji-damaged", .refused)
}

extension ErrorTemplate {
    public static let emojiImageOutside = ErrorTemplate(
        .emojiDamaged, "image {number} of the compiled emoji file '{path}' lies outside the file")
    /// Context that names the damaged image in a compiled emoji file; arguments `number`, `path`.
    public static let imageInEmojiFile = ErrorTemplate(
        context: "image-in-emoji-file", "image {number} of '{path}': {cause}")
}
