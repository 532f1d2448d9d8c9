extension ErrorCode {
    /// No pack of the requested product is installed.
    public static let packMissing = ErrorCode("pack.not-installed", .notFound)
    /// The requested version of a pack is neither installed nor the previous version any more.
    public static let packReplaced = ErrorCode("pack.replaced", .notFound)
    /// The pack can't be rolled back, because it has no previous version.
    public static let noPrevious = ErrorCode("pack.no-previous", .notFound)
    /// A pack placed by hand is in the way, or was named where only packs that the program installed are allowed.
    public static let packByHand = ErrorCode("conflict.by-hand", .conflict)
    /// The store offers the installed product as another kind (such as skin), which belongs into another directory.
    public static let kindChanged = ErrorCode("conflict.kind-changed", .conflict)
    /// No kind of content (such as sticker pack or skin) has the requested name.
    public static let kindUnknown = ErrorCode("kind.unknown", .refused)
    /// The pack's information file, which describes its content, is malformed or contradicts the pack.
    public static let badInformation = ErrorCode("content.bad-information", .refused)
    /// The pack is a plugin that requests permissions that the user did not grant.
    public static let consentNeeded = ErrorCode("consent.needed", .refused)
    /// A file in a pack is of a type that packs of its kind may not contain, or its name contradicts its content.
    public static let fileType = ErrorCode("content.file-type", .refused)
    /// A pack of a kind that holds only data contains a file that a system or an interpreter can run.
    public static let executable = ErrorCode("content.executable", .refused)
    /// A file of a pack has more bytes than the limit for its type.
    public static let contentTooLarge = ErrorCode("content.too-large", .refused)
    /// The receipt in an installed pack, which lists its files with their hashes, can't be read.
    public static let receiptDamaged = ErrorCode("pack.damaged-receipt", .refused)
    /// A newer version of this program installed the pack, in a format that this version can't read.
    public static let packNewer = ErrorCode("pack.newer", .refused)
    /// A file of a pack changed while the pack was being read.
    public static let packChanged = ErrorCode("pack.changed", .failed)
    /// A directory of the program's data was replaced by another file or directory while it was in use.
    public static let homeSwapped = ErrorCode("home.swapped", .daemon)
    /// The program's data directories can't be created, read or written.
    public static let homeUnusable = ErrorCode("home.unusable", .daemon)
}

// MARK: Installed packs

extension ErrorTemplate {
    public static let packNotInstalled = ErrorTemplate(
        .packMissing, "'{product}' is not installed", hint: "list installed packs with 'storectl list'")
    public static let packVersionReplaced = ErrorTemplate(
        .packReplaced, "the version of '{product}' that operation {operation} installed has been replaced",
        hint: "request the pack again")
    public static let noPreviousVersion = ErrorTemplate(
        .noPrevious, "could not roll back '{product}': there is no previous version")
    /// The version beside the installed one is the one that an earlier rollback replaced.
    public static let rolledBackAlready = ErrorTemplate(
        .noPrevious, variant: "rolled-back",
        "could not roll back '{product}' any further: only one previous version is kept",
        hint:
            "return to the newer version with 'storectl update {product}', and release the pack with 'storectl unhold {product}'"
    )
    /// A command that changes packs named a pack that this program did not install; argument `path`.
    public static let packNotManaged = ErrorTemplate(
        .packByHand, "'{path}' was not installed by this program, which leaves it as it is",
        hint: "move or remove the directory yourself")
    /// An unmanaged pack occupies the path where a product's pack is to be installed; argument `path`.
    public static let packInTheWay = ErrorTemplate(
        .packByHand, variant: "in-the-way", "'{path}' exists already and was not installed by this program",
        hint: "move it away, then try again")
    public static let productKindChanged = ErrorTemplate(
        .kindChanged, "'{product}' is installed as {kind}, and its store now offers it as another kind",
        hint: "uninstall '{product}' first")
    public static let kindNotKnown = ErrorTemplate(
        .kindUnknown, "'{product}' has the unknown kind '{kind}'; known kinds are {kinds}",
        hint: "install a newer version of this program")
    public static let consentMissing = ErrorTemplate(
        .consentNeeded, "'{product}' ({kind}) asks for permission to {permissions}",
        hint: "to allow that, add '--consent {consent}'")
    public static let receiptUnreadable = ErrorTemplate(
        .receiptDamaged, "the receipt of '{product}' is damaged",
        hint: "repair the pack with 'storectl verify --repair {product}'")
    /// The sizes in a receipt are negative, or add up to more than any disk can hold; argument `path`.
    public static let receiptSizes = ErrorTemplate(
        .receiptDamaged, variant: "sizes", "the receipt in '{path}' is damaged: it states impossible file sizes")
    public static let receiptTooNew = ErrorTemplate(
        .packNewer, "the receipt in '{path}' has the unknown format {format}",
        hint: "install a newer version of this program")
    public static let packChangedMeanwhile = ErrorTemplate(
        .packChanged, "'{path}' changed while the pack was being repaired or updated", hint: "try again")
    public static let directorySwapped = ErrorTemplate(
        .homeSwapped, "'{path}' was replaced by something else while it was in use",
        hint: "put the directory back, or run 'storectl daemon restart'")
    public static let homeNotUsable = ErrorTemplate(.homeUnusable, "could not use the home directory: {cause}")
}

// MARK: Content

extension ErrorTemplate {
    public static let identifierEmpty = ErrorTemplate(
        .badInformation, variant: "no-identifier", "the product has no identifier",
        hint: .reportToPublisher)
    /// A member of a pack's information file has another form than expected; argument `location`, such as `pack.json`.
    public static let informationMalformed = ErrorTemplate(
        .badInformation, "{location}: {reason}", hint: .reportToPublisher)
    public static let fileTypeRefused = ErrorTemplate(
        .fileType, "'{path}' is {content}, but packs of the kind '{kind}' may contain only {types}",
        hint: .reportToPublisher)
    public static let fileNameMisleading = ErrorTemplate(
        .fileType, variant: "misleading-name", "'{path}' is {content}, but has the name of another type of file",
        hint: ErrorHint(
            "report it to the pack's publisher", forPublisher: "remove the file, or give it the name of its type"))
    public static let textNameRefused = ErrorTemplate(
        .fileType, variant: "text-name",
        "'{path}' is text, but does not have the name of a text document (.txt, .md, .json)",
        hint: .reportToPublisher)
    public static let webPageRefused = ErrorTemplate(
        .fileType, variant: "web-page", "'{path}' is a web page, which is not allowed in a pack (line {line})",
        hint: .reportToPublisher)
    public static let drawingRefused = ErrorTemplate(
        .fileType, variant: "drawing",
        "'{path}' contains an SVG, which has to be a file of its own, with its first element in the first 4 KiB (line {line})",
        hint: .reportToPublisher)
    public static let styleSheetRefused = ErrorTemplate(
        .fileType, variant: "style-sheet",
        "'{path}' refers to a style sheet, which is not allowed in a pack (line {line})",
        hint: .reportToPublisher)
    public static let executableRefused = ErrorTemplate(
        .executable, "'{path}' is {content}, but packs of the kind '{kind}' may not contain executable files",
        hint: .reportToPublisher)
    public static let fileTooLarge = ErrorTemplate(
        .contentTooLarge, "'{path}' is {content} of {size}; the limit is {limit}",
        hint: .reportToPublisher)
    public static let packFilesMismatch = ErrorTemplate(
        .contentHashMismatch, variant: "files",
        "the files in the archive of '{product}' are not those that store '{store}' lists",
        hint: "report it to the store's publisher")
    /// Context that names the file of a pack whose image is invalid; argument `path`.
    public static let imageInPack = ErrorTemplate(
        context: "image-in-pack", "could not use '{path}': {cause}", hint: .reportToPublisher)
    /// Context that names the file of a pack that is not valid XML; argument `path`.
    public static let documentInPack = ErrorTemplate(
        context: "document-in-pack", "could not read '{path}' as XML: {cause}", hint: .reportToPublisher)
    /// Context that names the refused content; argument `content`.
    public static let contentRefused = ErrorTemplate(context: "content-refused", "refused {content}: {cause}")
}

// MARK: Kinds of content

extension ErrorTemplate {
    public static let stickerPackNotInstalled = ErrorTemplate(
        .packMissing, variant: "sticker-pack", "the sticker pack '{product}' is not installed")
    public static let stickerListedTwice = ErrorTemplate(
        .badInformation, variant: "sticker-twice",
        "{location}: the identifier '{sticker}' belongs to sticker {first} already; each sticker must have its own 'id'",
        hint: .reportToPublisher)
    public static let informationNamesNoFile = ErrorTemplate(
        .badInformation, variant: "no-file",
        "{location}: '{member}' names '{name}', which is not in the pack; it must be the path of a file, such as 01.png",
        hint: .reportToPublisher)
    public static let informationNamesNoImage = ErrorTemplate(
        .badInformation, variant: "no-image",
        "{location}: '{member}' names '{name}', which is {content}; it must be the path of an image",
        hint: .reportToPublisher)
    public static let informationListTooLong = ErrorTemplate(
        .badInformation, variant: "list", "{file}: '{member}' has {count} elements; the limit is {limit}",
        hint: .reportToPublisher)
    public static let pluginPermissionMalformed = ErrorTemplate(
        .badInformation, variant: "permission-name",
        "{file}: invalid permission '{permission}' in 'permissions', expected lower-case letters, digits, dots and hyphens, such as messages.read",
        hint: .reportToPublisher)
}
