extension ErrorCode {
    /// The images in a pack's compiled emoji file overlap or lie outside the file.
    public static let emojiDamaged = ErrorCode("content.emoji-damaged", .refused)
}

extension ErrorTemplate {
    public static let emojiImageOutside = ErrorTemplate(
        .emojiDamaged,
        "image {number} of the compiled emoji file '{path}' overlaps other data or lies outside the file",
        hint: "report it to the pack's publisher")
    /// Context that names the damaged image in a compiled emoji file; arguments `number`, `path`.
    public static let imageInEmojiFile = ErrorTemplate(
        context: "image-in-emoji-file", "could not use image {number} of the compiled emoji file '{path}': {cause}",
        hint: "report it to the pack's publisher")
}
