extension ErrorCode {
    /// An error without a code of its own, which is a defect of the program or of the machine.
    public static let unexpected = ErrorCode("internal.unexpected", .failed)
    /// The operation (such as an install) was cancelled on request.
    public static let cancelled = ErrorCode("operation.cancelled", .failed)
    /// The user's home directory can't be determined from `HOME`, the XDG variables or the password entry.
    public static let homeUnknown = ErrorCode("home.unknown", .daemon)
}

extension ErrorTemplate {
    public static let homeDirectoryUnknown = ErrorTemplate(
        .homeUnknown, "user {user} has no home directory: HOME is not set and there is no password entry",
        hint: "name a directory with --home")
    public static let unexpectedError = ErrorTemplate(.unexpected, "unexpected error: {error}")
    public static let operationCancelled = ErrorTemplate(.cancelled, "the operation was cancelled")
}
