extension ErrorCode {
    /// The file system is full, or a quota is used up.
    public static let noSpace = ErrorCode("space.disk-full", .space)
    /// The owner, the permissions or a read-only file system forbid the access.
    public static let fileDenied = ErrorCode("file.denied", .failed)
    /// The file does not exist.
    public static let fileMissing = ErrorCode("file.missing", .failed)
    /// The limit of open files is reached.
    public static let tooManyFiles = ErrorCode("file.too-many-open", .failed)
    /// A name leads out of its directory, or through a symbolic link.
    public static let fileEscapes = ErrorCode("file.escapes", .refused)
    /// The system refused an operation on a file for another reason.
    public static let fileFailed = ErrorCode("file.failed", .failed)
}

// The cause of these errors is the failed system call.
extension ErrorTemplate {
    /// Arguments: `path`.
    public static let diskFull = ErrorTemplate(
        .noSpace, "no space left for '{path}': {cause}", hint: "free some space and try again")
    /// Arguments: `what`, and in bytes `needed` and `free`.
    public static let notEnoughSpace = ErrorTemplate(
        .noSpace, variant: "needed", "not enough space for '{what}': about {needed} needed, {free} free",
        hint: "free some space and try again")
    /// Arguments: `path`, `call`.
    public static let fileDenied = ErrorTemplate(
        .fileDenied, "could not access '{path}': {cause} ({call})", hint: "check its owner and permissions")
    /// Arguments: `path`.
    public static let fileMissing = ErrorTemplate(.fileMissing, "'{path}' does not exist")
    /// Arguments: `path`.
    public static let tooManyOpenFiles = ErrorTemplate(
        .tooManyFiles, "could not open '{path}': {cause}", hint: "raise the limit of open files with 'ulimit -n'")
    /// Arguments: `path`.
    public static let fileEscapes = ErrorTemplate(
        .fileEscapes, "'{path}' leads out of its directory or through a symbolic link")
    /// Arguments: `path`, `call`.
    public static let fileFailed = ErrorTemplate(.fileFailed, "could not access '{path}': {cause} ({call})")
    /// Arguments: `path`, and in bytes `size` and `limit`.
    public static let fileExceedsLimit = ErrorTemplate(
        .fileFailed, variant: "too-large", "'{path}' has {size}, more than the limit of {limit}")
    /// Arguments: `path`.
    public static let notRegularFile = ErrorTemplate(
        .fileFailed, variant: "not-regular", "'{path}' is not a regular file", hint: "move it away")
    /// Arguments: `path`.
    public static let fileChangedByOther = ErrorTemplate(
        .fileFailed, variant: "changed", "could not write '{path}': another program has changed it")
}
