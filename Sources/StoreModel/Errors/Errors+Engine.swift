extension ErrorCode {
    /// None of the added stores offers the requested product.
    public static let productUnknown = ErrorCode("product.unknown", .notFound)
    /// The store has withdrawn the product: it is in the catalogue, but can't be installed any more.
    public static let productWithdrawn = ErrorCode("product.withdrawn", .notFound)
    /// The store's catalogue lacks data that is needed to install the product, such as the URL of its archive.
    public static let productIncomplete = ErrorCode("product.incomplete", .refused)
    /// The product has no preview image with the requested number.
    public static let noPreview = ErrorCode("product.no-preview", .notFound)
    /// The store has no image of the requested kind of the product, such as an icon.
    public static let noImage = ErrorCode("product.no-image", .notFound)
    /// A product needs more dependencies, or a longer chain of them, than the settings allow.
    public static let dependencyLimit = ErrorCode("dependency.limit", .refused)
    /// Several stores with the same priority offer the product, so it is not clear which one to install it from.
    public static let severalStores = ErrorCode("conflict.several-stores", .conflict)
    /// The user has added no store with the requested name.
    public static let storeUnknown = ErrorCode("store.unknown", .notFound)
    /// A store can't be added under this name, which belongs to a store with another URL.
    public static let storeExists = ErrorCode("conflict.store-exists", .conflict)
    /// A text is not a valid name of a store: a name has up to 64 letters, digits, dots, underscores and dashes.
    public static let storeBadName = ErrorCode("store.bad-name", .usage)
    /// A URL is not the address of a store: a store's address begins with `https:`, `http:` or `file:`.
    public static let storeBadAddress = ErrorCode("store.bad-address", .usage)
    /// The store's credentials are missing or contain characters that an HTTP header must not have.
    public static let storeBadCredentials = ErrorCode("store.bad-credentials", .usage)
    /// The file with the user's list of stores, or the one with their credentials, can't be read.
    public static let storesMalformed = ErrorCode("store.malformed-list", .daemon)
    /// The store's catalogue has no signature, and the user did not allow unsigned catalogues for the store.
    public static let storeUnsigned = ErrorCode("store.unsigned", .refused)
    /// The store's catalogue is not in the cache and can't be fetched from the server.
    public static let storeUnavailable = ErrorCode("store.unavailable", .network)
    /// A store takes longer to deliver its catalogue than the settings allow.
    public static let storeSlow = ErrorCode("store.slow", .network)
    /// No operation (install, update, uninstall, rollback or repair) has the requested identifier.
    public static let operationUnknown = ErrorCode("operation.unknown", .notFound)
    /// The daemon ended before the operation (such as an install) was done; nothing was changed.
    public static let operationInterrupted = ErrorCode("operation.interrupted", .failed)
    /// The pack can't be removed: an installed pack, or one that is being installed, depends on it.
    public static let packNeeded = ErrorCode("conflict.needed", .conflict)
    /// The installed pack can't be replaced or removed, because it is in use, as the applied skin is.
    public static let packInUse = ErrorCode("conflict.in-use", .conflict)
    /// Another operation (such as an update) on the same product is in progress.
    public static let productBusy = ErrorCode("conflict.busy", .conflict)
    /// A request would do something that the plan, which it names as the one the user agreed to, does not show.
    public static let planChanged = ErrorCode("conflict.plan-changed", .conflict)
    /// The product has a price, and the user's list of purchases does not contain it.
    public static let notPurchased = ErrorCode("entitlement.missing", .notEntitled)
    /// A purchase can't be revoked, because the user's list of purchases does not contain the product.
    public static let notOnList = ErrorCode("entitlement.not-on-list", .notFound)
    /// The file to install does not exist, or can't be read as an archive.
    public static let fileUnusable = ErrorCode("file.unusable", .notFound)
}

// Stores.
extension ErrorTemplate {
    public static let noSuchStore = ErrorTemplate(
        .storeUnknown, "there is no store '{store}'", hint: "list the stores with 'storectl store list'")
    public static let storeRemoved = ErrorTemplate(
        .storeUnknown, variant: "removed", "'{product}' came from the store '{store}', which was removed",
        hint: "add that store again, or uninstall the pack and install it from another store")
    public static let storeNameTaken = ErrorTemplate(
        .storeExists, "there is a store '{store}' already, at {url}",
        hint: "choose another name, or remove that store first")
    public static let storeNotSigned = ErrorTemplate(
        .storeUnsigned, "the store '{store}' is not signed",
        hint: "if you trust its address, add it with '--unsigned'")
    public static let storeWithoutHashes = ErrorTemplate(
        .storeUnsigned, variant: "no-hashes", "the store '{store}' is not signed, and its format has no hashes",
        hint: "if you trust its address, add it with '--unsigned'")
    public static let storeSlow = ErrorTemplate(
        .storeSlow, "the store '{store}' did not deliver its catalogue within {limit}",
        hint: "try again later, or wait longer with 'storectl config set catalogue.waitTimeout TIME'")
    public static let storeTooSlow = ErrorTemplate(
        .storeSlow, variant: "refresh", "fetching the catalogue of the store '{store}' took longer than {limit}",
        hint: "try again later, or wait longer with 'storectl config set catalogue.refreshTimeout TIME'")
    public static let invalidStoreName = ErrorTemplate(
        .storeBadName, "invalid store name '{store}'",
        hint: "use up to 64 letters, digits, '.', '_' and '-', not beginning with '.' or '-', and not 'local'")
    public static let invalidStoreAddress = ErrorTemplate(
        .storeBadAddress, "invalid store address '{url}'",
        hint: "use an address that begins with https:, http: or file:")
    /// A store's address contains a user name or a password, which lists and messages would show.
    public static let storeAddressWithCredentials = ErrorTemplate(
        .storeBadAddress, variant: "credentials", "the store's address contains a user name or a password",
        hint: "leave them out, and write them into ~/.netrc for '--netrc', or use '--token-file'")
    public static let storeListUnreadable = ErrorTemplate(
        .storesMalformed, "could not read the list of stores '{path}': {cause}",
        hint: "correct the file, or move it away")
    public static let storeListNotJSON = ErrorTemplate(
        .storesMalformed, variant: "not-json", "could not read the list of stores '{path}': {reason}",
        hint: "correct the file, or move it away")
    public static let storeListedTwice = ErrorTemplate(
        .storesMalformed, variant: "duplicate", "the store '{store}' is listed twice")
    public static let credentialsUnreadable = ErrorTemplate(
        .storesMalformed, variant: "credentials", "could not read the credentials file '{path}'",
        hint: "remove the file, and add the stores again with their tokens")
    public static let invalidToken = ErrorTemplate(
        .storeBadCredentials, "the token for the store '{store}' is empty or has characters other than printable ASCII",
        hint: "use a token of printable ASCII characters")
    public static let noNetrcEntry = ErrorTemplate(
        .storeBadCredentials, variant: "netrc", "'{path}' has no user and password for '{host}', or can't be read",
        hint: "add a line 'machine {host} login USER password PASSWORD'")
}

// Products.
extension ErrorTemplate {
    public static let noSuchProduct = ErrorTemplate(
        .productUnknown, "there is no product '{product}' in {stores}", hint: "find products with 'storectl search'")
    public static let noSuchProductInCache = ErrorTemplate(
        .productUnknown, variant: "cached",
        "there is no product '{product}' in {stores}, but the cached catalogue of the store '{store}' may be out of date: {cause}",
        hint: "try again when the store can be reached, or find products with 'storectl search'")
    public static let noStores = ErrorTemplate(
        .productUnknown, variant: "no-stores", "there is no product '{product}', because there are no stores",
        hint: "add a store with 'storectl store add NAME URL'")
    public static let productGone = ErrorTemplate(
        .productWithdrawn, "'{product}' was withdrawn from the store '{store}'")
    public static let ambiguousProduct = ErrorTemplate(
        .severalStores, "'{product}' is in several stores of the same priority: {stores}",
        hint: "name one with '--store', or raise a store's priority with 'storectl store add NAME URL --priority N'")
    public static let planChanged = ErrorTemplate(
        .planChanged, "could not change '{product}' as planned, because something has changed since the plan was made",
        hint: "run the command again, and check the new plan")
    public static let noSuchPreview = ErrorTemplate(
        .noPreview, "'{product}' has no preview {number}: it has {count}, counted from 0")
    public static let noSuchImage = ErrorTemplate(
        .noImage, "the store '{store}' has no {image} of '{product}'")
    public static let defectiveProduct = ErrorTemplate(
        .productIncomplete, "could not install '{product}' from '{store}': {reason}",
        hint: "report it to the store's publisher"
    )
    public static let noContentAddress = ErrorTemplate(
        .productIncomplete, variant: "no-address",
        "could not install '{product}' from '{store}': the catalogue has no URL for its content",
        hint: "report it to the store's publisher")
    public static let originUnknown = ErrorTemplate(
        .productIncomplete, variant: "no-origin", "could not repair '{product}': it is not known where it came from",
        hint: "uninstall it and install it again")
    public static let originLost = ErrorTemplate(
        .receiptDamaged, variant: "no-origin",
        "could not repair '{product}': its receipt is damaged, and it is not known where the pack came from",
        hint: "move '{path}' away and install the product again")
    public static let purchaseMissing = ErrorTemplate(
        .notPurchased, "'{product}' costs {price} and was not purchased",
        hint: "record the purchase with 'storectl purchases grant {product}'")
    public static let noSuchPurchase = ErrorTemplate(
        .notOnList, "there is no purchase of '{product}'", hint: "list purchases with 'storectl purchases list'")
    /// Context for a dependency that could not be installed; arguments `product` and `dependency`.
    public static let dependencyContext = ErrorTemplate(
        context: "dependency", "'{product}' needs '{dependency}': {cause}")
    public static let tooManyDependencies = ErrorTemplate(
        .dependencyLimit, "'{product}' has more than {limit} dependencies that are not installed",
        hint: "if you trust the store, raise the limit with 'storectl config set dependencies.maximumCount NUMBER'")
    public static let dependenciesTooDeep = ErrorTemplate(
        .dependencyLimit, variant: "depth",
        "the dependencies of '{product}' are nested more than {limit} deep",
        hint: "if you trust the store, raise the limit with 'storectl config set dependencies.maximumDepth NUMBER'")
    public static let productImageHashMismatch = ErrorTemplate(
        .contentHashMismatch, variant: "product-image",
        "the image '{url}' does not have the SHA-256 that the catalogue states",
        hint: "try again later; if it persists, report it to the store's publisher")
    /// Context that names the image of a product that is no image, or one that may not be shown; argument `url`.
    public static let productImageRefused = ErrorTemplate(
        context: "product-image-refused", "could not use the image '{url}': {cause}",
        hint: "report it to the store's publisher")
    public static let localIdentifierInvalid = ErrorTemplate(
        .badInformation, variant: "local-identifier",
        "could not install '{path}': the identifier '{product}' is invalid: {reason}",
        hint: "report it to the pack's publisher")
    public static let localKindUnknown = ErrorTemplate(
        .kindUnknown, variant: "local",
        "could not install '{path}': it has no images, and no 'pack.json' that states its kind",
        hint: "add a 'pack.json' with the member 'kind'")
    public static let unusableFile = ErrorTemplate(.fileUnusable, "could not read the file to install: {cause}")

    /// Returns the template for a product that may be in a store whose catalogue can't be fetched.
    ///
    /// - Parameter exitCode: the exit status, which is that of the error that fetching the catalogue failed with.
    public static func unavailableStore(_ exitCode: ExitCode) -> ErrorTemplate {
        ErrorTemplate(
            ErrorCode(ErrorCode.storeUnavailable.rawValue, exitCode),
            "could not find '{product}': the store '{store}' is not available: {cause}")
    }
}

// Packs and operations.
extension ErrorTemplate {
    public static let operationInProgress = ErrorTemplate(
        .productBusy, "another operation on '{product}' is in progress", hint: "try again when it has ended")
    public static let installationInProgress = ErrorTemplate(
        .productBusy, variant: "installing", "'{product}' is being installed",
        hint: "wait for its end, or cancel it with 'storectl cancel {product}'")
    public static let updateInProgress = ErrorTemplate(
        .productBusy, variant: "updating", "'{product}' is being updated",
        hint: "wait for its end, or cancel it with 'storectl cancel {product}'")
    public static let packHasDependents = ErrorTemplate(
        .packNeeded, "'{product}' is needed by {dependents}", hint: "uninstall {dependents} first")
    public static let packHasRunningDependents = ErrorTemplate(
        .packNeeded, variant: "installing", "'{product}' is needed by {dependents}, which is being installed",
        hint: "wait for the end of the installation, or cancel it")
    public static let packIsInUse = ErrorTemplate(
        .packInUse, "'{product}' is in use", hint: "select another pack first")
    public static let skinIsInUse = ErrorTemplate(
        .packInUse, variant: "skin", "the skin '{product}' is in use",
        hint: "select another skin first, or name one with 'storectl uninstall {product} --use SKIN'")
    public static let emojiSetIsInUse = ErrorTemplate(
        .packInUse, variant: "emoji", "the emoji set '{product}' is in use",
        hint: "choose another set with 'storectl emoji use ID', or none with 'storectl emoji reset'")
    public static let successorInherits = ErrorTemplate(
        .packInUse, variant: "inherits", "'{successor}' can't replace '{product}', because it inherits from '{product}'"
    )
    public static let noSuchOperation = ErrorTemplate(
        .operationUnknown, "there is no operation '{operation}'", hint: "list the operations with 'storectl history'")
    public static let daemonEndedFirst = ErrorTemplate(
        .operationInterrupted, "the daemon ended before the operation was done; nothing was changed",
        hint: "run the command again")
}
