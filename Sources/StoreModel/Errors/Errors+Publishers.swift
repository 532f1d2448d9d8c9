extension ErrorCode {
    /// A product's identifier does not begin with its publisher's prefix, or the store's owner offers a publisher's product.
    public static let outsidePrefix = ErrorCode("publish.outside-prefix", .refused)
    /// The store has a publisher of that name already.
    public static let publisherExists = ErrorCode("publish.publisher-exists", .conflict)
    /// The directory is a publisher's, and not a store's, or the other way round.
    public static let publisherDirectory = ErrorCode("publish.publisher-directory", .usage)
    /// A directory contains nothing that a publisher has published.
    public static let noPublication = ErrorCode("publish.no-publication", .notFound)
    /// What a publisher has handed over is incomplete or damaged.
    public static let badPublication = ErrorCode("publish.bad-publication", .refused)
}

extension ErrorTemplate {
    public static let productOutsidePrefix = ErrorTemplate(
        .outsidePrefix, "publisher '{publisher}' can't offer '{product}'",
        hint: "use an identifier that begins with '{prefix}'")
    public static let productOfPublisher = ErrorTemplate(
        .outsidePrefix, variant: "publisher", "only publisher '{publisher}' can offer '{product}'",
        hint: "use an identifier that does not begin with '{prefix}'")
    public static let productOfOwner = ErrorTemplate(
        .outsidePrefix, variant: "owner", "the store itself offers '{product}', which begins with '{prefix}'",
        hint: "withdraw it with 'storehouse withdraw', and let the publisher offer a higher version")
    public static let publisherNameTaken = ErrorTemplate(
        .publisherExists, "the store in '{path}' has the publisher '{publisher}' already",
        hint: "change its keys with 'storehouse publisher change'")
    public static let publisherNotInTable = ErrorTemplate(
        .trustUnknownPublisher, variant: "table", "the store in '{path}' has no publisher '{publisher}'",
        hint: "list its publishers with 'storehouse publisher list {path}'")
    public static let publisherNotSigned = ErrorTemplate(
        .trustUnknownPublisher, variant: "unsigned",
        "publisher '{publisher}' is not in the signed metadata of '{path}' yet",
        hint: "run 'storehouse publish {path}' with the keys of 'targets' first")
    public static let storeIsPublishers = ErrorTemplate(
        .publisherDirectory, "'{path}' is the directory of publisher '{publisher}', and not a store",
        hint: "run this command in the store; its owner has the other keys")
    public static let storeIsNoPublishers = ErrorTemplate(
        .publisherDirectory, variant: "store", "'{path}' is a store, and not a publisher's directory",
        hint: "create a publisher's directory with 'storehouse publisher init'")
    public static let publicationMissing = ErrorTemplate(
        .noPublication, "'{path}' contains nothing that a publisher has published",
        hint: "run 'storehouse publish' in the publisher's directory, and use that directory or a copy of its 'public'")
    public static let publicationInvalid = ErrorTemplate(
        .badPublication, "could not accept '{file}' of publisher '{publisher}': {reason}",
        hint: "copy the publisher's directory again")
    public static let publicationVersionUsed = ErrorTemplate(
        .versionChanged, variant: "metadata",
        "'{file}' version {version} was accepted with other contents",
        hint: "let the publisher publish from one directory only, and with a higher version")
}
