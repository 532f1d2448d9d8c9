extension ErrorCode {
    /// Signed metadata of a store is not valid JSON, or does not have the layout of The Update Framework.
    public static let trustMalformed = ErrorCode("trust.malformed", .refused)
    /// Signed metadata of a store follows a specification, or has only hashes, that this program does not know.
    public static let trustUnsupported = ErrorCode("trust.unsupported", .refused)
    /// Metadata of a store is not signed by enough of the keys that are trusted for it.
    public static let trustSignature = ErrorCode("trust.signature", .refused)
    /// Metadata of a store has expired, because the publisher did not renew it or somebody withholds newer metadata.
    public static let trustExpired = ErrorCode("trust.expired", .refused)
    /// Metadata of a store is older than metadata that was seen before (rollback attack).
    public static let trustRollback = ErrorCode("trust.rollback", .refused)
    /// Metadata files of a store do not belong to the same state of the store (mix-and-match attack).
    public static let trustMixed = ErrorCode("trust.mix-and-match", .refused)
    /// A file of a store does not have the length or the hash that the store's signed metadata states.
    public static let trustHashMismatch = ErrorCode("trust.hash-mismatch", .refused)
    /// Metadata or a file of a store is longer than allowed (endless data attack).
    public static let trustTooLarge = ErrorCode("trust.too-large", .refused)
    /// A file of a store's signed metadata does not exist on the server.
    public static let trustMissing = ErrorCode("trust.missing", .network)
    /// The signed metadata of a store lists no file with the requested path.
    public static let trustUnknownTarget = ErrorCode("trust.unknown-target", .notFound)
    /// There is no trusted root with which a store's metadata could be verified.
    public static let trustNoRoot = ErrorCode("trust.no-root", .notFound)
    /// The table of publishers in a store's signed metadata does not keep the publishers apart.
    public static let trustPublishers = ErrorCode("trust.publishers", .refused)
    /// A publisher, or a store's owner, has signed a product, a file or a delegation that is not theirs to sign.
    public static let trustPublisherScope = ErrorCode("trust.publisher-scope", .refused)
    /// The signed metadata of a store names no publisher of the requested name.
    public static let trustUnknownPublisher = ErrorCode("trust.unknown-publisher", .notFound)
    /// The last verification of a signed store is older than the settings allow for installations and updates.
    public static let trustStale = ErrorCode("trust.stale", .refused)
    /// The root of a signed store has another fingerprint than the user has stated.
    public static let trustFingerprint = ErrorCode("trust.fingerprint", .refused)
    /// The store is signed, and the user has neither given its root nor accepted it without a signature.
    public static let trustRootNeeded = ErrorCode("trust.root-needed", .refused)
    /// A signed store can't be made an unsigned one.
    public static let trustDowngrade = ErrorCode("trust.downgrade", .conflict)
}

extension ErrorTemplate {
    /// Context of an error in metadata that was verified before and is kept on this computer; argument `path`.
    public static let trustStoredRoot = ErrorTemplate(
        context: "trust-stored-root", "could not use the trusted root '{path}': {cause}",
        hint: "get the store's root from its publisher and add the store with it again")

    // Documents

    public static let trustInvalid = ErrorTemplate(
        .trustMalformed, "'{file}' is not valid: {reason}", hint: "report it to the store's publisher")
    public static let trustSpecification = ErrorTemplate(
        .trustUnsupported, "'{file}' follows version '{version}' of The Update Framework; this program knows version 1",
        hint: "upgrade the program")
    public static let trustHashesUnknown = ErrorTemplate(
        .trustUnsupported, variant: "hashes", "'{file}' is listed only with hashes of unknown kinds ({algorithms})",
        hint: "upgrade the program")

    // Signs of an attack

    public static let trustThreshold = ErrorTemplate(
        .trustSignature, "'{file}' has {found} valid signatures of trusted keys, but needs {threshold}",
        hint: "someone may be attacking: try another network, and report it to the store's publisher if it persists")
    public static let trustRootSuccession = ErrorTemplate(
        .trustSignature, variant: "succession",
        "'{file}' has {found} valid signatures of the keys trusted until now, but needs {threshold}",
        hint: "someone may be attacking: try another network, and report it to the store's publisher if it persists")
    public static let trustOlder = ErrorTemplate(
        .trustRollback, "'{file}' is version {found}, but version {trusted} was seen before",
        hint: "someone may be attacking: try another network, and report it to the store's publisher if it persists")
    public static let trustListsOlder = ErrorTemplate(
        .trustRollback, variant: "listed",
        "'{lister}' lists version {found} of '{file}', but version {trusted} was seen before",
        hint: "someone may be attacking: try another network, and report it to the store's publisher if it persists")
    public static let trustListsNoMore = ErrorTemplate(
        .trustRollback, variant: "removed", "'{lister}' no longer lists '{file}'",
        hint: "someone may be attacking: try another network, and report it to the store's publisher if it persists")
    public static let trustRootVersion = ErrorTemplate(
        .trustRollback, variant: "root", "'{file}' is version {found} instead of {expected}",
        hint: "someone may be attacking: try another network, and report it to the store's publisher if it persists")
    public static let trustVersionDiffers = ErrorTemplate(
        .trustMixed, "'{file}' is version {found}, but '{lister}' lists version {expected}",
        hint: "try again later; if it persists, someone may be attacking: report it to the store's publisher")
    public static let trustNotListed = ErrorTemplate(
        .trustMixed, variant: "unlisted", "'{lister}' does not list '{file}'",
        hint: "try again later; if it persists, someone may be attacking: report it to the store's publisher")
    public static let trustHashDiffers = ErrorTemplate(
        .trustHashMismatch, "'{file}' does not have the {algorithm} hash that the store's metadata states",
        hint: "try again later; if it persists, someone may be attacking: report it to the store's publisher")
    public static let trustLengthDiffers = ErrorTemplate(
        .trustHashMismatch, variant: "length", "'{file}' has {found}, but the store's metadata states {expected}",
        hint: "try again later; if it persists, someone may be attacking: report it to the store's publisher")
    public static let trustTooLong = ErrorTemplate(
        .trustTooLarge, "'{file}' is longer than the allowed {limit}",
        hint: "try again later; if it persists, someone may be attacking: report it to the store's publisher")

    // Renewal

    public static let trustHasExpired = ErrorTemplate(
        .trustExpired,
        "'{file}' expired on {date}: the store's publisher did not renew it, or newer metadata is withheld",
        hint:
            "nothing was changed: tell the publisher to renew, and check this computer's clock; if the store works on another network, someone may be attacking this one"
    )

    // The trust of a user in a store

    /// Context that names the signed store that could not be verified; argument `store`.
    public static let storeVerification = ErrorTemplate(
        context: "store-verification", "could not verify the store '{store}': {cause}")
    /// Context of the error because of which a publisher's products are missing in a store; argument `publisher`.
    public static let trustPublisherLeftOut = ErrorTemplate(
        context: "publisher-left-out", "left out the products of publisher '{publisher}': {cause}")
    public static let trustCatalogueWithoutHashes = ErrorTemplate(
        .trustUnsupported, variant: "format", "the signed catalogue '{file}' is of format 1, which has no hashes",
        hint: "report it to the store's publisher")
    public static let trustStoredExpired = ErrorTemplate(
        .trustExpired, variant: "stored",
        "the verified metadata of the store '{store}' expired on {date}, and no newer one could be fetched",
        hint: "try again when the store can be reached, or tell its publisher to renew; installed packs stay usable")
    public static let trustTooOld = ErrorTemplate(
        .trustStale, "the store '{store}' was last verified on {date}, longer ago than {limit}",
        hint:
            "check the network and run 'storectl refresh {store}', or allow more with 'storectl config set trust.refuseAfter SECONDS'; installed packs stay usable"
    )
    public static let trustNeverVerified = ErrorTemplate(
        .trustStale, variant: "never", "the store '{store}' has not been verified yet",
        hint: "check the network and run 'storectl refresh {store}'")
    public static let trustClockBehind = ErrorTemplate(
        context: "trust-clock",
        "{cause} (this computer's clock says {now}, but {seen} was seen before)",
        hint:
            "set the clock; if it was too far ahead before and is right now, add the store again with '--root' to forget the later time"
    )
    public static let trustFingerprintDiffers = ErrorTemplate(
        .trustFingerprint, "the root '{root}' has the fingerprint {found}, not {expected}",
        hint:
            "do not trust it: get the root and its fingerprint from the publisher by another way than the store's server"
    )
    public static let trustFingerprintInvalid = ErrorTemplate(
        .trustFingerprint, variant: "invalid", "'{fingerprint}' is not a fingerprint of 64 hexadecimal digits",
        hint: "copy the fingerprint from the publisher completely")
    public static let trustRootRequired = ErrorTemplate(
        .trustRootNeeded,
        "the store '{store}' is signed, and its root is needed to verify it (its server has one with the fingerprint {fingerprint})",
        hint:
            "add it with '--root FILE' or '--fingerprint HEX' from its publisher; '--unsigned' would ignore the signatures"
    )
    public static let trustRootNotFound = ErrorTemplate(
        .trustNoRoot, variant: "url", "there is no root at '{url}'",
        hint: "get the store's root from its publisher and add the store with '--root FILE'")
    public static let trustRootTooLong = ErrorTemplate(
        .trustTooLarge, variant: "root", "the root is longer than the allowed {limit}",
        hint: "check that it is the root of the store")
    public static let trustKeptSigned = ErrorTemplate(
        .trustDowngrade, "the store '{store}' is signed, and is never used without its signatures",
        hint: "leave out '--unsigned'; to give up its protection, remove the store and add it with '--unsigned'")

    // Missing files

    public static let trustFileMissing = ErrorTemplate(
        .trustMissing, "'{file}' is missing from the store",
        hint: "check the store's URL, or report it to its publisher")
    public static let trustTargetUnknown = ErrorTemplate(
        .trustUnknownTarget, "the store's signed metadata lists no file '{file}'")
    public static let trustTooManyDelegations = ErrorTemplate(
        .trustUnknownTarget, variant: "delegations",
        "the store's signed metadata lists no file '{file}' in the first {limit} delegated roles",
        hint: "report it to the store's publisher")
    public static let trustRootMissing = ErrorTemplate(
        .trustNoRoot, "there is no trusted root in '{path}'",
        hint: "get the store's root from its publisher and add the store with it")

    // Publishers of a store

    private static let publisherTableHint = ErrorHint("report it to the store's owner", forPublisher: nil)
    private static let publisherScopeHint =
        "someone may have stolen the publisher's key: report it to the store's owner"

    public static let trustPublisherName = ErrorTemplate(
        .trustPublishers, variant: "name",
        "invalid publisher name '{publisher}' (allowed: 1 to 64 of a-z, 0-9 and '-', but no top-level role)",
        hint: publisherTableHint)
    public static let trustPublisherRepeated = ErrorTemplate(
        .trustPublishers, variant: "repeated", "the store has two publishers '{publisher}'", hint: publisherTableHint)
    public static let trustPublisherPaths = ErrorTemplate(
        .trustPublishers, variant: "paths",
        "publisher '{publisher}' is trusted for other paths than '{expected}' and '{expected}/*'",
        hint: publisherTableHint)
    public static let trustPublisherNotTerminating = ErrorTemplate(
        .trustPublishers, variant: "not-terminating", "the delegation to publisher '{publisher}' is not terminating",
        hint: publisherTableHint)
    public static let trustPublisherNoPrefix = ErrorTemplate(
        .trustPublishers, variant: "no-prefix",
        "the store has publishers, but its delegation to '{publisher}' has no '{member}'", hint: publisherTableHint)
    public static let trustPublisherPrefix = ErrorTemplate(
        .trustPublishers, variant: "prefix",
        "publisher '{publisher}' has an invalid identifier prefix '{prefix}'; an example of a valid one is 'org.example.'",
        hint: publisherTableHint)
    public static let trustPublisherOverlap = ErrorTemplate(
        .trustPublishers, variant: "overlap",
        "the identifier prefixes '{prefix}' of publisher '{publisher}' and '{otherPrefix}' of '{other}' overlap",
        hint: publisherTableHint)
    public static let trustPublisherFile = ErrorTemplate(
        .trustPublishers, variant: "file", "the store's top-level metadata lists '{file}', a path of publishers",
        hint: publisherTableHint)
    public static let trustPublisherProduct = ErrorTemplate(
        .trustPublisherScope,
        "publisher '{publisher}' offers '{product}', but may only offer products whose identifiers begin with '{prefix}'",
        hint: publisherScopeHint)
    public static let trustPublisherPath = ErrorTemplate(
        .trustPublisherScope, variant: "path", "publisher '{publisher}' lists '{file}', which is not a path of its own",
        hint: publisherScopeHint)
    public static let trustPublisherDelegates = ErrorTemplate(
        .trustPublisherScope, variant: "delegates",
        "publisher '{publisher}' delegates to further roles, which publishers may not do", hint: publisherScopeHint)
    public static let trustOwnerProduct = ErrorTemplate(
        .trustPublisherScope, variant: "owner",
        "the store's own catalogue offers '{product}', whose identifier belongs to publisher '{publisher}'",
        hint: ErrorHint(
            "report it to the store's owner", forPublisher: "use another identifier, or let the publisher offer it"))
    public static let trustPublisherUnknown = ErrorTemplate(
        .trustUnknownPublisher, "the store has no publisher '{publisher}'",
        hint: "ask the store's owner whether the publisher was revoked")
}
