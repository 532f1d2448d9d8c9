extension ErrorCode {
    /// A version that is already published was added again with other contents.
    ///
    /// Clients compare version numbers only, so they would never download the new contents.
    public static let versionChanged = ErrorCode("publish.version-changed", .refused)
    /// The directory that the publisher named does not contain a store.
    public static let noStore = ErrorCode("publish.no-store", .notFound)
    /// The publisher can't create a store in the directory, which is not empty.
    public static let notEmpty = ErrorCode("publish.not-empty", .conflict)
    /// The publisher's store has no product with the requested identifier.
    public static let noProduct = ErrorCode("publish.no-product", .notFound)
    /// The directory of the pack to publish does not exist.
    public static let noPack = ErrorCode("publish.no-pack", .notFound)
    /// The identifier, kind or version of a product to publish is not valid.
    public static let badIdentifier = ErrorCode("publish.bad-identifier", .usage)
    /// The information file of the pack to publish names a picture that does not exist or is not supported.
    public static let badPicture = ErrorCode("publish.bad-picture", .refused)
    /// Files that the publisher's tool wrote into the store's directory are damaged.
    public static let storeDamaged = ErrorCode("publish.store-damaged", .refused)
    /// The environment variable `SOURCE_DATE_EPOCH` is not a number of seconds.
    public static let badEpoch = ErrorCode("publish.bad-epoch", .usage)
    /// A URL can't be used as a mirror of the publisher's store (another location with the same files).
    public static let badMirror = ErrorCode("publish.bad-mirror", .usage)
    /// The kind of the pack to publish is not known, so the rules for its content can't be checked.
    public static let unknownKind = ErrorCode("publish.unknown-kind", .usage)
}

extension ErrorTemplate {
    public static let publishedVersionChanged = ErrorTemplate(
        .versionChanged, "'{product}' {version} is in the store with other contents",
        hint: "add the new contents with a higher version (--version)")
    public static let storeNotFound = ErrorTemplate(
        .noStore, "'{path}' is not a store", hint: "create a store with 'storehouse init {path}'")
    public static let storeDirectoryNotEmpty = ErrorTemplate(
        .notEmpty, "could not create a store in '{path}': it contains '{entry}'",
        hint: "use a new or an empty directory")
    public static let publishedProductUnknown = ErrorTemplate(
        .noProduct, "the store has no product '{product}'", hint: "list its products with 'storehouse list'")
    public static let packDirectoryNotFound = ErrorTemplate(
        .noPack, "'{path}' is not a directory", hint: "use a directory with the pack's files")
    public static let packIdentifierInvalid = ErrorTemplate(
        .badIdentifier, "could not add '{directory}': {reason}", hint: "set another identifier with --id")
    public static let packIdentifierDiffers = ErrorTemplate(
        .badIdentifier, variant: "differs",
        "could not add '{directory}' as '{product}': its information file has the identifier '{own}'",
        hint: "use the same identifier for both")
    public static let packKindInvalid = ErrorTemplate(
        .badIdentifier, variant: "kind", "could not add '{directory}': it has no kind",
        hint: "set the kind with --kind")
    public static let packVersionInvalid = ErrorTemplate(
        .badIdentifier, variant: "version", "could not add '{directory}': invalid version '{version}'",
        hint: "use a version with numbers, such as 1.0.0")
    public static let packPictureInvalid = ErrorTemplate(
        .badPicture, "'{file}' of '{path}' names the picture '{picture}', which {reason}")
    public static let storeStateUnreadable = ErrorTemplate(
        .storeDamaged, "could not read '{path}': the file is damaged, or a newer version of storehouse wrote it",
        hint: "restore the file from a backup, or upgrade storehouse")
    public static let storeObjectDamaged = ErrorTemplate(
        .storeDamaged, variant: "object", "'{path}' is missing or damaged", hint: "add its pack again")
    public static let storeLockFailed = ErrorTemplate(
        .storeDamaged, variant: "lock", "could not lock '{path}': {reason}")
    public static let sourceDateEpochInvalid = ErrorTemplate(
        .badEpoch, "SOURCE_DATE_EPOCH is '{value}', which is not a number of seconds since 1970",
        hint: "correct or unset the variable")
    public static let mirrorInvalid = ErrorTemplate(
        .badMirror, "'{url}' is not usable as a mirror",
        hint: "use the http or https URL of a copy of 'public', without user, query or fragment")
    public static let kindUnknown = ErrorTemplate(
        .unknownKind, "unknown kind '{kind}'", hint: "use one of {known}")
}
