extension ErrorCode {
    /// The parts of a compiled emoji file don't lie where the file says.
    public static let emojiDamaged = ErrorCode("content.emoji-damaged", .refused)
}

extension ErrorTemplate {
    public static let emojiImageOutside = ErrorTemplate(
        .emojiDamaged, "image {number} of the compiled emoji file '{path}' lies outside the file")
    /// Names the image of a compiled emoji file in which an image reader found the cause.
    public static let imageInEmojiFile = ErrorTemplate(
        context: "image-in-emoji-file", "image {number} of '{path}': {cause}")
}
