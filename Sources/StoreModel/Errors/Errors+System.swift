extension ErrorCode {
    /// The file system is full, or a quota is used up.
    public static let noSpace = ErrorCode("space.disk-full", .space)
    /// The owner or permissions of the file, or a read-only file system, forbid the access.
    public static let fileDenied = ErrorCode("file.denied", .failed)
    /// The file to be opened does not exist.
    public static let fileMissing = ErrorCode("file.missing", .failed)
    /// The file can't be opened, because the process's limit of open files is reached.
    public static let tooManyFiles = ErrorCode("file.too-many-open", .failed)
    /// The name of a file leads out of the directory that it has to be in, or through a symbolic link.
    public static let fileEscapes = ErrorCode("file.escapes", .refused)
    /// The system refused an operation on a file for another reason.
    public static let fileFailed = ErrorCode("file.failed", .failed)
    /// Another process, or another part of this one, works on the home (the directories of one daemon) already.
    public static let homeInUse = ErrorCode("home.inUse", .conflict)
}

// The cause of these errors is the failed system call.
extension ErrorTemplate {
    /// The disk or a quota is full; argument `path` of the file being written.
    public static let diskFull = ErrorTemplate(
        .noSpace, "no space left for '{path}': {cause}", hint: "free some space and try again")
    /// An operation needs more disk space than is free; arguments `what`, and in bytes `needed` and `free`.
    public static let notEnoughSpace = ErrorTemplate(
        .noSpace, variant: "needed", "not enough space for '{what}': about {needed} needed, {free} free",
        hint: "free some space and try again")
    /// The system denied the access to a file; arguments `path`, `call`.
    public static let fileDenied = ErrorTemplate(
        .fileDenied, "could not access '{path}': {cause}", hint: "check its owner and permissions")
    /// A file does not exist; argument `path`.
    public static let fileMissing = ErrorTemplate(.fileMissing, "'{path}' does not exist")
    /// A file can't be opened, because the limit of open files is reached; argument `path`.
    public static let tooManyOpenFiles = ErrorTemplate(
        .tooManyFiles, "could not open '{path}': {cause}", hint: "raise the limit of open files with 'ulimit -n'")
    /// A name leads out of its directory or through a symbolic link; argument `path`.
    public static let fileEscapes = ErrorTemplate(
        .fileEscapes, "'{path}' leads out of its directory or through a symbolic link")
    /// A file operation failed for a reason that has no template of its own; arguments `path`, `call`.
    public static let fileFailed = ErrorTemplate(.fileFailed, "could not access '{path}': {cause}")
    /// A file is larger than allowed; arguments `path`, and in bytes `size` and `limit`.
    public static let fileExceedsLimit = ErrorTemplate(
        .fileFailed, variant: "too-large", "'{path}' has {size}, more than the limit of {limit}")
    /// A path leads to something other than a regular file; argument `path`.
    public static let notRegularFile = ErrorTemplate(
        .fileFailed, variant: "not-regular", "'{path}' is not a regular file", hint: "move it away")
    /// The directory of a file that a user named for output can't be opened; argument `path` of the file.
    public static let outputDirectoryUnusable = ErrorTemplate(
        context: "output", "could not write '{path}': {cause}",
        hint: "name a file in a directory that exists and that you may write to")
    /// The open files that a client sent with a request did not arrive.
    public static let receivingFilesFailed = ErrorTemplate(
        .fileFailed, variant: "not-received", "could not receive the open files that came with the request: {cause}",
        hint: "send fewer files, or only their paths")
    /// A file can't be written, because another program has changed it; argument `path`.
    public static let fileChangedByOther = ErrorTemplate(
        .fileFailed, variant: "changed", "could not write '{path}': another program has changed it")
}

// The lock of a home.
extension ErrorTemplate {
    /// A daemon works on the home; arguments `path`, `pid`.
    public static let homeInUseByDaemon = ErrorTemplate(
        .homeInUse, "the daemon (process {pid}) uses the home '{path}'",
        hint: "use it with 'storectl' or StoreClient, or stop it with 'storectl daemon stop'")
    /// An application with the engine inside works on the home; arguments `path`, `pid`, `program`.
    public static let homeInUseByApplication = ErrorTemplate(
        .homeInUse, variant: "application", "the program '{program}' (process {pid}) uses the home '{path}'",
        hint: "use that program, or close it; programs that share a home use StoreClient instead of StoreManager")
    /// An unknown process works on the home; argument `path`.
    public static let homeInUseByUnknownProcess = ErrorTemplate(
        .homeInUse, variant: "unknown-process", "another process uses the home '{path}'",
        hint: "close the program that uses it, or stop the daemon with 'storectl daemon stop'")
}
