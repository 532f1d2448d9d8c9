extension ErrorCode {
    /// An error without a code: a defect of the program or of the machine.
    public static let unexpected = ErrorCode("internal.unexpected", .failed)
    /// The operation was cancelled.
    public static let cancelled = ErrorCode("operation.cancelled", .failed)
    /// Neither `HOME` nor an XDG variable specifies the user's directories.
    public static let homeUnknown = ErrorCode("home.unknown", .daemon)
}

extension ErrorTemplate {
    public static let homeDirectoryUnknown = ErrorTemplate(
        .homeUnknown, "user {user} has no home directory: HOME is not set and there is no password entry",
        hint: "name a directory with --home")
    public static let unexpectedError = ErrorTemplate(.unexpected, "unexpected error: {error}")
    public static let operationCancelled = ErrorTemplate(.cancelled, "the operation was cancelled")
}
