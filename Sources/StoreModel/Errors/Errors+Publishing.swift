extension ErrorCode {
    /// A version that is already published was added again with other contents.
    ///
    /// Clients compare version numbers only, so they would never download the new contents.
    public static let versionChanged = ErrorCode("publish.version-changed", .refused)
    /// The directory that the publisher named does not contain a store.
    public static let noStore = ErrorCode("publish.no-store", .notFound)
    /// The publisher can't create a store in the directory, which is not empty.
    public static let notEmpty = ErrorCode("publish.not-empty", .conflict)
    /// The publisher's store has no product with the requested identifier.
    public static let noProduct = ErrorCode("publish.no-product", .notFound)
    /// The directory of the pack to publish does not exist.
    public static let noPack = ErrorCode("publish.no-pack", .notFound)
    /// The directory to publish as a pack only contains the directories of packs.
    public static let severalPacks = ErrorCode("publish.several-packs", .refused)
    /// The identifier, kind or version of a product to publish is not valid.
    public static let badIdentifier = ErrorCode("publish.bad-identifier", .usage)
    /// The price of a product to publish is neither free nor an amount of money.
    public static let badPrice = ErrorCode("publish.bad-price", .usage)
    /// The information file of the pack to publish names a picture that does not exist or is not supported.
    public static let badPicture = ErrorCode("publish.bad-picture", .refused)
    /// Files that the publisher's tool wrote into the store's directory are damaged.
    public static let storeDamaged = ErrorCode("publish.store-damaged", .refused)
    /// The environment variable `SOURCE_DATE_EPOCH` is not a number of seconds.
    public static let badEpoch = ErrorCode("publish.bad-epoch", .usage)
    /// A URL can't be used as a mirror of the publisher's store (another location with the same files).
    public static let badMirror = ErrorCode("publish.bad-mirror", .usage)
    /// The kind of the pack to publish is not known, so the rules for its content can't be checked.
    public static let unknownKind = ErrorCode("publish.unknown-kind", .usage)

    /// A key file could not be decrypted: the passphrase is wrong, or the file is damaged.
    public static let keyWrongPassphrase = ErrorCode("key.wrong-passphrase", .refused)
    /// A key file, or a request for signatures, is damaged or of an unknown kind.
    public static let keyDamaged = ErrorCode("key.damaged", .refused)
    /// Other users could read private keys where they are.
    public static let keyUnsafe = ErrorCode("key.unsafe", .refused)
    /// There is no usable passphrase for a key file.
    public static let keyNoPassphrase = ErrorCode("key.no-passphrase", .usage)
    /// The store has keys already.
    public static let keyExists = ErrorCode("key.exists", .conflict)
    /// The publisher's store is not signed.
    public static let keyNotSigned = ErrorCode("key.not-signed", .notFound)
    /// The publisher's store has no key with the requested identifier, or a role that can't be.
    public static let keyUnknown = ErrorCode("key.unknown", .notFound)
    /// A role would have fewer keys than have to sign.
    public static let keyThreshold = ErrorCode("key.threshold", .usage)
    /// The command that signs for the publisher failed.
    public static let keyAgent = ErrorCode("key.agent", .failed)
    /// Metadata of the publisher's store needs signatures of keys that are not at hand.
    public static let keyMissingSignatures = ErrorCode("key.missing-signatures", .conflict)
    /// A request for signatures does not belong to the current state of the publisher's store.
    public static let keyStaleRequest = ErrorCode("key.stale-request", .conflict)
    /// A key may not sign what a request contains.
    public static let keyNotAllowed = ErrorCode("key.not-allowed", .refused)
}

extension ErrorTemplate {
    public static let publishedVersionChanged = ErrorTemplate(
        .versionChanged, "'{product}' {version} is in the store with other contents",
        hint: "add the new contents with a higher version (--version)")
    public static let storeNotFound = ErrorTemplate(
        .noStore, "'{path}' is not a store", hint: "create a store with 'storehouse init {path}'")
    public static let storeDirectoryNotEmpty = ErrorTemplate(
        .notEmpty, "could not create a store in '{path}': it contains '{entry}'",
        hint: "use a new or an empty directory")
    public static let storePathNotDirectory = ErrorTemplate(
        .notEmpty, variant: "file", "could not create a store in '{path}', which is not a directory",
        hint: "use a new or an empty directory")
    public static let publishedProductUnknown = ErrorTemplate(
        .noProduct, "the store has no product '{product}'", hint: "list its products with 'storehouse list'")
    public static let packDirectoryNotFound = ErrorTemplate(
        .noPack, "'{path}' is not a directory", hint: "use a directory with the pack's files")
    public static let packPathMissing = ErrorTemplate(
        .noPack, variant: "missing", "there is no directory '{path}'", hint: "check the path of the pack")
    /// The kind of a pack is not known, but similar to a known one; argument `origin` of the kind, `kind`, `similar`.
    public static let packKindMistyped = ErrorTemplate(
        .unknownKind, variant: "mistyped", "{origin}: unknown kind '{kind}'", hint: "did you mean '{similar}'?")
    public static let packDirectoryHasPacks = ErrorTemplate(
        .severalPacks, "not a pack, but a directory with packs in it", hint: "did you mean {packs}?")
    /// A source of another program has several packs, and an option is for one product; argument `count` of packs.
    public static let importedPacksShareOption = ErrorTemplate(
        .severalPacks, variant: "imported", "its {count} packs can't have the same identifier or name",
        hint: "leave out --id and --name: the packs have identifiers and names of their own")
    public static let packIdentifierInvalid = ErrorTemplate(
        .badIdentifier, "{origin}: {reason}",
        hint: "use an identifier of letters, digits, '.', '-' and '_', such as org.example.cups, or set one with --id")
    public static let packIdentifierDiffers = ErrorTemplate(
        .badIdentifier, variant: "differs",
        "could not add '{directory}' as '{product}': its information file has the identifier '{own}'",
        hint: "use the same identifier for both")
    public static let packKindInvalid = ErrorTemplate(
        .badIdentifier, variant: "kind", "{origin}: invalid kind '{kind}'",
        hint: "use one word of letters, digits and hyphens, such as 'sticker'")
    public static let packDependencyInvalid = ErrorTemplate(
        .badIdentifier, variant: "dependency", "{file}: invalid identifier '{dependency}' in 'dependencies'",
        hint: "use identifiers of products, such as org.example.base")
    public static let priceInvalid = ErrorTemplate(
        .badPrice, "invalid price '{price}' of '{product}'",
        hint: "use an amount with a currency, such as '1.99 EUR' or '1000 JPY', or 'free'")
    public static let packPriceInvalid = ErrorTemplate(
        .badPrice, variant: "pack", "{origin}: invalid price '{price}'",
        hint: "use an amount with a currency, such as '1.99 EUR' or '1000 JPY', or 'free'")
    public static let packVersionInvalid = ErrorTemplate(
        .badIdentifier, variant: "version", "{origin}: invalid version '{version}'",
        hint: "use a version with numbers, such as 1.0.0")
    public static let packPictureInvalid = ErrorTemplate(
        .badPicture, "'{file}' of '{path}' names the picture '{picture}', which {reason}")
    /// The text about a product is too long for clients; arguments `file`, `size`, `limit`.
    public static let packDetailsTooLarge = ErrorTemplate(
        .badInformation, variant: "details",
        "{file}: the details of the product take {size}; the limit is {limit}",
        hint: "shorten 'description' and 'changes'")
    /// A text about a product is in too many languages for clients; arguments `file`, `member`, `count`, `limit`.
    public static let packTextLanguages = ErrorTemplate(
        .badInformation, variant: "languages", "{file}: '{member}' is in {count} languages; the limit is {limit}")
    /// Context of a publication whose catalogue exceeds a limit of clients.
    public static let publicationRefused = ErrorTemplate(
        context: "publication-refused", "clients would refuse the publication: {cause}",
        hint: "shorten names and lists of the products, or divide them among several stores")
    public static let storeStateUnreadable = ErrorTemplate(
        .storeDamaged, "could not read '{path}': the file is damaged, or a newer version of storehouse wrote it",
        hint: "restore the file from a backup, or upgrade storehouse")
    public static let storeObjectDamaged = ErrorTemplate(
        .storeDamaged, variant: "object", "'{path}' is missing or damaged", hint: "add its pack again")
    public static let storeLockFailed = ErrorTemplate(
        .storeDamaged, variant: "lock", "could not lock '{path}': {reason}")
    public static let sourceDateEpochInvalid = ErrorTemplate(
        .badEpoch, "SOURCE_DATE_EPOCH is '{value}', which is not a number of seconds since 1970",
        hint: "correct or unset the variable")
    public static let mirrorInvalid = ErrorTemplate(
        .badMirror, "'{url}' is not usable as a mirror",
        hint: "use the http or https URL of a copy of 'public', without user, query or fragment")
    public static let checkedFileIsDirectory = ErrorTemplate(
        .fileUnusable, variant: "check",
        "a directory, and not a ZIP file; 'storehouse add' checks the directory of a pack")
    public static let kindUnknown = ErrorTemplate(
        .unknownKind, "unknown kind '{kind}'", hint: "use one of {known}")

    // Key files

    public static let keyPassphraseWrong = ErrorTemplate(
        .keyWrongPassphrase, "could not decrypt '{path}': the passphrase is wrong, or the file is damaged",
        hint: "check the passphrase, or restore the file from a backup")
    public static let keyFileInvalid = ErrorTemplate(
        .keyDamaged, "could not use the key '{path}': {reason}",
        hint: "restore the file from a backup, or upgrade storehouse")
    public static let keyFileReadable = ErrorTemplate(
        .keyUnsafe, "other users may read '{path}' (permissions {permissions})",
        hint: "run 'chmod {expected} {path}', and rotate the key if somebody may have read it")
    public static let keyDirectoryPublic = ErrorTemplate(
        .keyUnsafe, variant: "public", "could not keep keys in '{path}': it is beneath '{public}', which is served",
        hint: "choose another directory with --keys")
    public static let keyDirectoryMissing = ErrorTemplate(
        .fileUnusable, variant: "keys", "there is no directory '{path}'", hint: "check the path that --keys names")
    public static let keyPassphraseMissing = ErrorTemplate(
        .keyNoPassphrase, "there is no passphrase for '{path}'",
        hint: "run the command on a terminal, use --passphrase-file, or set STOREHOUSE_PASSPHRASE")
    public static let keyPassphraseFileInvalid = ErrorTemplate(
        .keyNoPassphrase, variant: "encoding", "the passphrase in '{path}' is not UTF-8",
        hint: "save the file as UTF-8")
    public static let keyPassphraseEmpty = ErrorTemplate(
        .keyNoPassphrase, variant: "empty", "the passphrase for '{path}' is empty", hint: "use a longer passphrase")
    /// The passphrase of a new key is too short; arguments `path`, `minimum` number of characters.
    public static let keyPassphraseShort = ErrorTemplate(
        .keyNoPassphrase, variant: "short",
        "the passphrase for the new keys in '{path}' has fewer than {minimum} characters",
        hint: "use a longer passphrase, such as several words")
    public static let keyPassphrasesDiffer = ErrorTemplate(
        .keyNoPassphrase, variant: "differs", "the two passphrases for '{path}' differ",
        hint: "run the command again")
    public static let keyFileExists = ErrorTemplate(
        .keyExists, variant: "file", "'{path}' exists already", hint: "choose another name")
    public static let keyAgentFailed = ErrorTemplate(
        .keyAgent, "the agent did not sign with the key {key}: {reason}",
        hint: "check the command that --agent names")

    // Roles

    public static let keysExist = ErrorTemplate(
        .keyExists, "the store in '{path}' is signed already",
        hint: "change its keys with 'storehouse key add', 'rotate' and 'revoke'")
    public static let keyInRole = ErrorTemplate(
        .keyExists, variant: "role", "the role '{role}' of the store already has the key '{key}'",
        hint: "list the keys with 'storehouse key list {path}'")
    public static let keyStoreUnsigned = ErrorTemplate(
        .keyNotSigned, "the store in '{path}' is not signed", hint: "make its keys with 'storehouse key init {path}'")
    public static let keyNothingPublished = ErrorTemplate(
        .keyNotSigned, variant: "unpublished", "the store in '{path}' was not published since its keys were made",
        hint: "run 'storehouse publish {path}'")
    public static let keyNotInRoot = ErrorTemplate(
        .keyUnknown, "no role of the store has the key '{key}'", hint: "list the keys with 'storehouse key list {path}'"
    )
    public static let keyAmbiguous = ErrorTemplate(
        .keyUnknown, variant: "ambiguous", "several keys of the store begin with '{key}'", hint: "use more digits")
    public static let keyValueInvalid = ErrorTemplate(
        .keyDamaged, variant: "public", "'{key}' is not an Ed25519 public key",
        hint: "use the 64 hexadecimal digits that 'storehouse key create' prints")
    public static let keyThresholdTooHigh = ErrorTemplate(
        .keyThreshold, "the role '{role}' would have {count} keys, of which {threshold} have to sign",
        hint: "add a key with 'storehouse key add', or lower the threshold with 'storehouse key threshold'")
    public static let publisherThresholdTooHigh = ErrorTemplate(
        .keyThreshold, variant: "publisher",
        "{threshold} keys of publisher '{publisher}' would have to sign, but it would have {count}",
        hint: "name all of the publisher's keys with '--public-key', or lower '--threshold'")

    // Signatures

    public static let keySignaturesMissing = ErrorTemplate(
        .keyMissingSignatures, "'{file}' has {found} of {threshold} signatures; clients do not see the change yet",
        hint: "name the directory of the keys with '--keys', or get the others with "
            + "'storehouse sign request {path} --output FILE'")
    public static let keyNothingToSign = ErrorTemplate(
        .keyStaleRequest, variant: "nothing", "nothing in the store in '{path}' waits for signatures",
        hint: "run 'storehouse publish {path}'")
    public static let keyRequestStale = ErrorTemplate(
        .keyStaleRequest, "'{path}' does not contain what the store waits for",
        hint: "make a new request with 'storehouse sign request'")
    public static let keyRequestInvalid = ErrorTemplate(
        .keyDamaged, variant: "request", "'{path}' is not a request for signatures",
        hint: "make one with 'storehouse sign request'")
    public static let keySignsNothing = ErrorTemplate(
        .keyNotAllowed, "the key {key} may sign nothing in '{path}'",
        hint: "use a key that 'storehouse key list' shows for the role")
}

// Several publishers in one store.
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
