extension ErrorCode {
    /// The command line of a command is invalid.
    public static let usage = ErrorCode("usage.invalid", .usage)
    /// The home that a command names does not exist, and the command is none that creates it.
    public static let homeMissing = ErrorCode("home.missing", .daemon)
    /// No store offers the version of a product that was requested.
    public static let versionUnknown = ErrorCode("product.version-unknown", .notFound)
    /// A version of a product was requested while another one is installed.
    public static let otherVersion = ErrorCode("conflict.other-version", .conflict)
    /// The archive file to install is not signed, and the user did not confirm the installation.
    public static let fileUnsigned = ErrorCode("file.unsigned", .refused)
    /// Files of an installed pack differ from those listed in its receipt.
    public static let packDamaged = ErrorCode("pack.damaged", .refused)
    /// Some of several items named in one command failed.
    public static let someFailed = ErrorCode("operation.some-failed", .partial)
    /// Ctrl-C interrupted a command while it waited.
    public static let interrupted = ErrorCode("operation.interrupted", .interrupted)
}

extension ErrorTemplate {
    public static let homeDirectoryMissing = ErrorTemplate(
        .homeMissing, "the home '{path}' does not exist",
        hint: "correct --home, or create it with 'storectl store add NAME URL --home DIR'")
    /// The home that `--home` names does not exist and can't be created; argument `parent`, the directory above it.
    public static let homeDirectoryNotCreatable = ErrorTemplate(
        .homeMissing, variant: "parent", "the home '{path}' does not exist, and you may not create it in '{parent}'",
        hint: "choose another home with --home, or get permission to write to '{parent}'")
    public static let contactSheetNotPNG = ErrorTemplate(
        .usage, variant: "contact-sheet", "could not write '{path}': the contact sheet is a PNG file",
        hint: "name a file that ends in '.png'")
    public static let identifierArgumentEmpty = ErrorTemplate(
        .usage, variant: "empty-identifier", "the product identifier must not be empty")
    public static let programMissing = ErrorTemplate(
        .unexpected, variant: "program", "could not find the program '{program}' beside this program or on PATH",
        hint: "install '{program}'")
    public static let localFileMissing = ErrorTemplate(
        .fileUnusable, variant: "missing", "there is neither a file nor a product '{name}'",
        hint: "check the path, or find products with 'storectl search'")
    public static let localFileIsDirectory = ErrorTemplate(
        .fileUnusable, variant: "directory", "could not install '{name}', because it is a directory",
        hint: "install a ZIP file of what it contains, or publish it with 'storehouse add'")
    public static let localFileIrregular = ErrorTemplate(
        .fileUnusable, variant: "irregular",
        "could not install '{name}', because it is not a regular file, or can't be accessed",
        hint: "check the path and the permissions of its directories, or copy it to a file first")
    /// An option of the command line names a file that does not exist.
    public static let optionFileMissing = ErrorTemplate(
        .fileUnusable, variant: "option", "there is no file '{path}'", hint: "check the path")
    /// A text is no product's identifier, but the name of products or the end of their identifiers.
    public static let productNamedOtherwise = ErrorTemplate(
        .productUnknown, variant: "candidates", "there is no product with the identifier '{product}'",
        hint: "name the product by its identifier: {candidates}")
    /// A name `STORE/ID` of an installed pack that came from another store, `actual`.
    public static let packOfOtherStore = ErrorTemplate(
        .packMissing, variant: "other-store", "'{product}' was installed from the store '{actual}', not from '{store}'",
        hint: "name it '{actual}/{product}'")
    /// A name `STORE/ID` of an installed pack that came from no store.
    public static let packOfNoStore = ErrorTemplate(
        .packMissing, variant: "no-store", "'{product}' was not installed from a store, so not from '{store}'",
        hint: "name it '{product}'")
    /// A name `STORE/ID` of a download that comes from another store, `actual`.
    public static let downloadOfOtherStore = ErrorTemplate(
        .downloadMissing, variant: "other-store",
        "'{product}' is downloaded from the store '{actual}', not from '{store}'",
        hint: "name it '{actual}/{product}'")
    public static let productVersionNotOffered = ErrorTemplate(
        .versionUnknown, "no store offers version {version} of '{product}'",
        hint: "install a version that is offered: {offers}")
    public static let olderVersionInstalled = ErrorTemplate(
        .otherVersion, variant: "older",
        "could not install version {version} of '{product}', because {installed} is installed",
        hint: "update it with 'storectl update {product}'")
    public static let newerVersionInstalled = ErrorTemplate(
        .otherVersion, variant: "newer",
        "could not install version {version} of '{product}', because {installed} is installed",
        hint: "remove it first with 'storectl uninstall {product}'")
    public static let daemonLogMissing = ErrorTemplate(
        .fileUnusable, variant: "log", "there is no log '{path}'",
        hint: "the next daemon that a command starts writes one; if systemd starts the daemon, show its log with "
            + "'journalctl --user --unit stored'")
    /// A text `STORE/ID` that is neither a product's identifier nor begins with a store's name.
    public static let noSuchProductOrStore = ErrorTemplate(
        .productUnknown, variant: "store", "there is neither a product '{product}' nor a store '{store}'",
        hint: "list the stores with 'storectl store list', or find products with 'storectl search'")
    /// A text `STORE/ID` of a product that other stores have, in a store that was not added.
    public static let storeOfProductNotAdded = ErrorTemplate(
        .productUnknown, variant: "of-store", "could not find '{product}': no store '{store}' was added",
        hint: "list the stores with 'storectl store list'; the product may be {candidates}")
    public static let localFileUnsigned = ErrorTemplate(
        .fileUnsigned, "'{name}' is not signed, and there is no terminal to confirm its installation",
        hint: "add --unsigned if you trust the file")
    public static let packDamaged = ErrorTemplate(
        .packDamaged, "'{product}' has {files}", hint: "run 'storectl verify --repair {product}'")
    public static let packDirectoryMissing = ErrorTemplate(
        .packDamaged, variant: "missing", "the directory of '{product}' is missing",
        hint: "run 'storectl verify --repair {product}', or 'storectl uninstall {product}'")
    public static let someItemsFailed = ErrorTemplate(.someFailed, "{failed} of {all} items failed")
    public static let productCancelled = ErrorTemplate(
        .cancelled, variant: "product", "the installation of '{product}' was cancelled")
    public static let planDeclined = ErrorTemplate(.cancelled, variant: "plan", "cancelled; nothing was changed")
    public static let commandInterrupted = ErrorTemplate(.interrupted, "interrupted")
    public static let commandInterruptedCancelled = ErrorTemplate(
        .interrupted, variant: "cancelled", "interrupted; cancelled {downloads}")
    public static let commandInterruptedRunning = ErrorTemplate(
        .interrupted, variant: "running", "interrupted; the daemon continues with {downloads}",
        hint: "stop a download with 'storectl cancel ID'")
}
