extension ErrorCode {
    /// A request names a product of which no download runs, and none has ended since the daemon started.
    public static let downloadMissing = ErrorCode("download.unknown", .notFound)
    /// A download can't be changed or cancelled, because it has ended.
    public static let downloadEnded = ErrorCode("download.ended", .conflict)
    /// The product can't be installed from the requested store: it is installed, or being installed, from another one.
    public static let otherStore = ErrorCode("conflict.other-store", .conflict)
    /// A pack that the product depends on could not be installed.
    public static let prerequisiteFailed = ErrorCode("dependency.failed", .conflict)
    /// Installing the product would make the library (all installed packs) larger than the limit that the user set.
    public static let libraryLimit = ErrorCode("space.library-limit", .space)
    /// The product's archive has more bytes than the limit that the user set for downloads.
    public static let archiveLimit = ErrorCode("space.download-limit", .space)
    /// The daemon `stored` is shutting down and accepts no new downloads.
    public static let shuttingDown = ErrorCode("daemon.ending", .daemon)
    /// The stored request of an operation, such as an install, could not be read after a restart of the daemon.
    public static let operationLost = ErrorCode("operation.lost", .failed)
}

extension ErrorTemplate {
    /// Returns the template for a prerequisite that failed to install, with the exit code of the prerequisite's error.
    public static func prerequisiteInstallFailed(exitCode: ExitCode) -> ErrorTemplate {
        let template = prerequisiteInstallFailed
        return ErrorTemplate(
            ErrorCode(ErrorCode.prerequisiteFailed.rawValue, exitCode), variant: template.variant, template.message)
    }

    /// A request names a product that has no download; argument `product`.
    public static let downloadNotFound = ErrorTemplate(
        .downloadMissing, "no download of '{product}'", hint: "list downloads with 'storectl downloads'")
    /// An order to a download that has ended; arguments `product`, `state`.
    public static let downloadEndedBefore = ErrorTemplate(
        .downloadEnded, "the download of '{product}' has ended ({state})",
        hint: "begin a new one with 'storectl install {product}'")
    /// An order to a download that has ended with success; arguments `product`, `state`.
    public static let downloadFinishedBefore = ErrorTemplate(
        .downloadEnded, variant: "finished", "the download of '{product}' has ended ({state})",
        hint: "show the pack with 'storectl info {product}'")
    /// A download from another store is running; arguments `product`, `store`.
    public static let otherStoreDownloading = ErrorTemplate(
        .otherStore, "'{product}' is being installed from the store '{store}'",
        hint: "wait for that download, or cancel it with 'storectl cancel {product}'")
    /// A download failed whose partial file is kept; argument `percent`, and a cause.
    public static let downloadResumable = ErrorTemplate(
        context: "resumable-download", "{cause}", hint: "{percent} % is downloaded; run the command again to resume")
    /// A prerequisite is not installed; arguments `product`, `prerequisite`.
    public static let prerequisiteMissing = ErrorTemplate(
        .prerequisiteFailed, "could not install '{product}': it needs '{prerequisite}', which is not installed",
        hint: "install '{prerequisite}' first")
    /// A prerequisite failed to install; arguments `product`, `prerequisite`, and a cause.
    public static let prerequisiteInstallFailed = ErrorTemplate(
        .prerequisiteFailed, variant: "cause",
        "could not install '{product}': it needs '{prerequisite}', which is not installed: {cause}")
    /// The library would be too large; arguments `product`, `size`, `limit`.
    public static let libraryTooLarge = ErrorTemplate(
        .libraryLimit, "with '{product}' the library would hold {size}, more than the limit of {limit}",
        hint: "uninstall packs, or raise the limit with 'storectl config set library.maximumSize SIZE'")
    /// A product is installed from another store already; arguments `product`, `store` and `requested`.
    public static let otherStoreInstalled = ErrorTemplate(
        .otherStore, variant: "installed", "'{product}' is installed from the store '{store}', not from '{requested}'",
        hint: "uninstall it first with 'storectl uninstall {product}'")
    /// A download that the journal of running operations lists is not in the database.
    public static let operationForgotten = ErrorTemplate(
        .operationLost, variant: "forgotten", "the operation was lost when the daemon restarted",
        hint: "run the command again")
    /// An archive is too large; arguments `product`, `limit`.
    public static let downloadTooLarge = ErrorTemplate(
        .archiveLimit, "the archive of '{product}' is larger than the limit of {limit}",
        hint: "if you trust the store, raise the limit with 'storectl config set downloads.maximumSize SIZE'")
    /// A request can't be carried out, because the daemon is shutting down.
    public static let daemonShuttingDown = ErrorTemplate(
        .shuttingDown, "the daemon is shutting down", hint: "run the command again")
    /// The stored request of an operation can't be decoded.
    public static let operationUnreadable = ErrorTemplate(
        .operationLost, "the request of the operation could not be read after the daemon restarted",
        hint: "run the command again")
}
