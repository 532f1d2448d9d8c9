extension ErrorCode {
    /// An installed sticker pack has no sticker with the requested identifier.
    public static let stickerMissing = ErrorCode("sticker.unknown", .notFound)
    /// The sticker is not in the list from which it was to be removed.
    public static let stickerNotInList = ErrorCode("sticker.not-in-list", .notFound)
    /// There are as many favourite stickers as are allowed.
    public static let stickersTooMany = ErrorCode("sticker.too-many", .space)
    /// The text is not a sticker reference, or one of a version that this program does not know.
    public static let stickerReferenceMalformed = ErrorCode("sticker.malformed-reference", .usage)
    /// A sticker can't be referred to, because its pack is from no store that the user has added.
    public static let stickerNotReferable = ErrorCode("sticker.not-referable", .conflict)
    /// The referenced sticker can't be fetched: its store, product or image is not there any more, or never was.
    public static let stickerUnavailable = ErrorCode("sticker.unavailable", .notFound)
    /// The whole archive would have to be fetched for one sticker, and it is larger than the settings allow.
    public static let stickerArchiveTooLarge = ErrorCode("sticker.archive-too-large", .space)
}

extension ErrorTemplate {
    public static let noSuchSticker = ErrorTemplate(
        .stickerMissing, "'{product}' has no sticker '{sticker}'",
        hint: "list its stickers with 'storectl stickers show {product}'")
    public static let stickerNeverSent = ErrorTemplate(
        .stickerNotInList, "the sticker '{sticker}' of '{product}' was not sent")
    public static let stickerNoFavourite = ErrorTemplate(
        .stickerNotInList, variant: "favourite", "the sticker '{sticker}' of '{product}' is not a favourite")
    public static let tooManyFavourites = ErrorTemplate(
        .stickersTooMany, "there are {limit} favourite stickers already", hint: "remove one first")
    public static let referenceMalformed = ErrorTemplate(
        .stickerReferenceMalformed, "'{reference}' is not a sticker reference that this version can read")
    public static let stickerWithoutStore = ErrorTemplate(
        .stickerNotReferable,
        "could not refer to a sticker of '{product}': the pack is not from a store, where a receiver could find it")
    public static let stickerStoreRemoved = ErrorTemplate(
        .stickerNotReferable, variant: "store",
        "could not refer to a sticker of '{product}': its store '{store}' was removed",
        hint: "add the store again with 'storectl store add {store} URL'")
    public static let stickerReferenceTooLong = ErrorTemplate(
        .stickerNotReferable, variant: "length",
        "could not refer to the sticker '{sticker}' of '{product}': its names are too long")
    public static let stickerStoreUnknown = ErrorTemplate(
        .stickerUnavailable, "could not fetch the sticker: no store in use has '{product}' under this reference",
        hint: "ask the sender for the store, and add it with 'storectl store add'")
    public static let stickerProductUnknown = ErrorTemplate(
        .stickerUnavailable, variant: "product", "could not fetch the sticker: '{store}' does not offer '{product}'")
    public static let stickerWithdrawn = ErrorTemplate(
        .stickerUnavailable, variant: "withdrawn", "could not fetch the sticker: '{store}' has withdrawn '{product}'")
    public static let stickerReplaced = ErrorTemplate(
        .stickerUnavailable, variant: "replaced",
        "could not fetch the sticker: the present version of '{product}' does not have its image")
    public static let stickerArchiveLimit = ErrorTemplate(
        .stickerArchiveTooLarge,
        "could not fetch the sticker: '{store}' can only send all of '{product}', {size}; the limit is {limit}",
        hint: "install the pack with 'storectl install {product}', or raise stickers.maximumArchiveSize")
}

extension ErrorTemplate {
    public static let stickerNotCached = ErrorTemplate(
        .servedFileMissing, variant: "sticker", "no sticker with the hash '{sha256}' is in the cache")
}
