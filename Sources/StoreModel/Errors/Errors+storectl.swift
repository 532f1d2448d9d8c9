extension ErrorCode {
    /// The command line of a command is invalid.
    public static let usage = ErrorCode("usage.invalid", .usage)
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
    public static let programMissing = ErrorTemplate(
        .unexpected, variant: "program", "could not find the program '{program}' beside this program or on PATH",
        hint: "install '{program}'")
    public static let localFileMissing = ErrorTemplate(
        .fileUnusable, variant: "missing", "there is neither a file nor a product '{name}'",
        hint: "check the path, or find products with 'storectl search'")
    public static let localFileUnsigned = ErrorTemplate(
        .fileUnsigned, "'{name}' is not signed, and there is no terminal to confirm its installation",
        hint: "add --unsigned if you trust the file")
    public static let packDamaged = ErrorTemplate(
        .packDamaged, "'{product}' has {files}", hint: "run 'storectl verify --repair {product}'")
    public static let someItemsFailed = ErrorTemplate(.someFailed, "{failed} of {all} items failed")
    public static let productCancelled = ErrorTemplate(
        .cancelled, variant: "product", "the installation of '{product}' was cancelled")
    public static let commandInterrupted = ErrorTemplate(.interrupted, "interrupted")
    public static let commandInterruptedCancelled = ErrorTemplate(
        .interrupted, variant: "cancelled", "interrupted; cancelled {downloads}")
    public static let commandInterruptedRunning = ErrorTemplate(
        .interrupted, variant: "running", "interrupted; the daemon continues with {downloads}",
        hint: "stop a download with 'storectl cancel ID'")
}
