extension ErrorCode {
    /// A compiled emoji file is not as its format says, for example because an image lies outside the file.
    public static let emojiDamaged = ErrorCode("content.emoji-damaged", .refused)
    /// No emoji set with the requested identifier is installed, or none is in use.
    public static let emojiSetMissing = ErrorCode("emoji.no-set", .notFound)
    /// An emoji set has no image for an emoji.
    public static let emojiMissing = ErrorCode("emoji.not-found", .notFound)
    /// A text is not one emoji.
    public static let emojiInvalid = ErrorCode("emoji.invalid", .usage)
    /// A file from which an emoji set is compiled is not as it has to be.
    public static let emojiSource = ErrorCode("emoji.source", .refused)
    /// An emoji set has an emoji twice, with and without variation selectors.
    public static let emojiTwice = ErrorCode("emoji.duplicate", .refused)
    /// An emoji of a set to be compiled has no image.
    public static let emojiNoImage = ErrorCode("emoji.no-image", .refused)
    /// An emoji set does not fit into a file of format 1.
    public static let emojiFormatOne = ErrorCode("emoji.format-one", .refused)
    /// An emoji set is too large to be compiled.
    public static let emojiTooLarge = ErrorCode("emoji.too-large", .refused)
    /// A font can't be read, or has no stored images of emoji.
    public static let emojiFont = ErrorCode("emoji.font", .refused)
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
    public static let emojiFileDamaged = ErrorTemplate(
        .emojiDamaged, variant: "place", "{place}: expected {expected}, found {found}",
        hint: "compile the set again with 'storehouse emoji compile'")
    /// Context that names the damaged compiled emoji file of a pack; argument `path`.
    public static let emojiFileInPack = ErrorTemplate(
        context: "emoji-file", "could not use the compiled emoji file '{path}': {cause}", hint: .reportToPublisher)
    public static let emojiSetNotFound = ErrorTemplate(
        .emojiSetMissing, "no emoji set '{set}' is installed", hint: "list emoji sets with 'storectl emoji list'")
    public static let noEmojiSetInUse = ErrorTemplate(
        .emojiSetMissing, variant: "none-in-use", "no emoji set is in use",
        hint: "choose one with 'storectl emoji use ID'")
    public static let emojiNotFound = ErrorTemplate(
        .emojiMissing, "'{set}' has no image of the emoji {emoji}")
    public static let emojiTextInvalid = ErrorTemplate(
        .emojiInvalid, "'{text}' is not one emoji", hint: "pass the emoji itself, or its code points, such as '1F600'")

    // MARK: Compiling

    public static let emojiSourceInvalid = ErrorTemplate(
        .emojiSource, "{file}:{line}: expected {expected}, found {found}")
    public static let emojiDirectoryWithoutImages = ErrorTemplate(
        .emojiSource, variant: "directory", "the directory has no image that is named after an emoji",
        hint: "name images after code points, such as '1f600.png' or '1f468-200d-1f33e.png'")
    public static let emojiDirectoryNotEmpty = ErrorTemplate(
        .notEmpty, variant: "emoji", "the directory '{path}' is not empty", hint: "name a new directory")
    public static let emojiOrderRequired = ErrorTemplate(
        .emojiSource, variant: "order", "a font does not say which emoji it has and in which order",
        hint: "pass Unicode's file emoji-test.txt with '--order'; Debian's package unicode-data has it")
    /// Context that names a file from which an emoji set is compiled; argument `file`.
    public static let emojiSourceFile = ErrorTemplate(
        context: "emoji-source", "could not use '{file}': {cause}")
    /// Context that names the line of a description and the image that it names; arguments `file`, `line`, `image`.
    public static let emojiSourceImage = ErrorTemplate(
        context: "emoji-source-image", "{file}:{line}: could not use the image '{image}': {cause}")
    public static let emojiDuplicate = ErrorTemplate(
        .emojiTwice, "the emoji {emoji} is in the set twice; variation selectors do not make another emoji of it")
    public static let emojiWithoutImage = ErrorTemplate(.emojiNoImage, "the emoji {emoji} has no image")
    public static let emojiFormatOneUnsuitable = ErrorTemplate(
        .emojiFormatOne, "format 1 can't hold {subject}: {reason}",
        hint: "use format 2, or leave such emoji out with '--leave-out'")
    public static let emojiFileTooLarge = ErrorTemplate(
        .emojiTooLarge, "the compiled file would have more than {limit}")
    public static let emojiFontUnreadable = ErrorTemplate(.emojiFont, "the font can't be read: {reason}")
    public static let emojiFontWithoutImages = ErrorTemplate(
        .emojiFont, variant: "images", "the font has no stored images of emoji (tables CBDT, sbix or SVG)",
        hint: "fonts with vector layers only (table COLR) are not supported")
    public static let emojiFontWithoutEmoji = ErrorTemplate(
        .emojiFont, variant: "emoji", "the font has no usable image of an emoji in the order")
}
