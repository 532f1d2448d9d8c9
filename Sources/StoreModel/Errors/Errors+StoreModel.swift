extension ErrorCode {
    /// An error without a code of its own, which is a defect of the program or of the machine.
    public static let unexpected = ErrorCode("internal.unexpected", .failed)
    /// The operation (such as an install) was cancelled on request.
    public static let cancelled = ErrorCode("operation.cancelled", .failed)
    /// The user's home directory can't be determined from `HOME`, the XDG variables or the password entry.
    public static let homeUnknown = ErrorCode("home.unknown", .daemon)
    /// A text is not a `storectl:` link: it has another form, another action or another parameter.
    public static let linkInvalid = ErrorCode("link.invalid", .usage)
}

extension ErrorTemplate {
    public static let homeDirectoryUnknown = ErrorTemplate(
        .homeUnknown, "user {user} has no home directory: HOME is not set and there is no password entry",
        hint: "name a directory with --home")
    public static let unexpectedError = ErrorTemplate(.unexpected, "unexpected error: {error}")
    public static let operationCancelled = ErrorTemplate(.cancelled, "the operation was cancelled")
}

// Links.
extension ErrorTemplate {
    public static let linkTooLong = ErrorTemplate(
        .linkInvalid, variant: "too-long", "the link is longer than {limit}",
        hint: "do not use this link; find the product with 'storectl search'")
    public static let linkOfOtherScheme = ErrorTemplate(
        .linkInvalid, variant: "scheme", "'{link}' is not a 'storectl:' link",
        hint: "a link has the form 'storectl:install/ID' or 'storectl:install/ID?store=FINGERPRINT'")
    public static let linkActionUnknown = ErrorTemplate(
        .linkInvalid, variant: "action", "the link has the unknown action '{action}'",
        hint: "the only action is 'install', as in 'storectl:install/ID'")
    public static let linkActionMissing = ErrorTemplate(
        .linkInvalid, variant: "no-action", "the link names no action",
        hint: "a link has the form 'storectl:install/ID', without '//'")
    public static let linkProductInvalid = ErrorTemplate(
        .linkInvalid, variant: "product",
        "the link does not name a product: '{product}' is no percent-encoded identifier",
        hint: "find the product with 'storectl search'")
    public static let linkParameterUnknown = ErrorTemplate(
        .linkInvalid, variant: "parameter", "the link has the unknown parameter '{parameter}'",
        hint: "the only parameter is 'store', as in 'storectl:install/ID?store=FINGERPRINT'")
    public static let linkStoreInvalid = ErrorTemplate(
        .linkInvalid, variant: "store",
        "the link names a store by '{store}', which is not the fingerprint of a root in 64 lower-case hexadecimal digits",
        hint: "find the product with 'storectl search'")
}
