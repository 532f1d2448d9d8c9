public import StoreModel
public import StoreOpenAPI

/// The JSON body of the request `POST /v1/downloads` to the daemon: the product to install.
///
/// If a download of the product is running, the request joins it, and sets its priority and rate limit.
public struct InstallRequest: Sendable, Codable {
    /// The identifier of the product to install; ignored if ``file`` is set.
    public var productIdentifier: String
    /// The name of the store to install the product from.
    ///
    /// If `nil`, it is the store with the greatest priority that offers the product.
    public var store: String?
    /// The absolute path of a ZIP file on this machine to install, as if it came from an unsigned store, or `nil`.
    public var file: String?
    /// The permissions that the user consents to for the product and its dependencies.
    public var consent: Set<Permission>?
    /// Further permissions that the user consents to, for single products, by product identifier.
    public var consents: [String: Set<Permission>]?
    /// The identifiers of the steps of a plan that the user agreed to; `nil` allows whatever is needed.
    public var agreed: Set<String>?
    /// The priority of the download, 0 if `nil`.
    ///
    /// Among waiting downloads, the one with the greatest priority starts first.
    public var priority: Int?
    /// The rate limit in bytes per second for each download, the dependencies included.
    ///
    /// If `nil` or 0, it is the limit in the settings.
    public var rateLimit: Int?

    /// Creates the request to install one product, or the file at a path.
    public init(
        productIdentifier: String, store: String? = nil, file: String? = nil, consent: Set<Permission>? = nil,
        consents: [String: Set<Permission>]? = nil, agreed: Set<String>? = nil, priority: Int? = nil,
        rateLimit: Int? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.store = store
        self.file = file
        self.consent = consent
        self.consents = consents
        self.agreed = agreed
        self.priority = priority
        self.rateLimit = rateLimit
    }

    /// The permissions that the user consents to, for all products and for single ones.
    public var granted: Consent { Consent(consent ?? [], toProducts: consents ?? [:]) }
}

extension InstallRequest: SchemaProviding {
    public static let schemaName = "InstallRequest"
    public static let schema = Schema.request(
        "The product to install.",
        [
            .required("productIdentifier", .text, "Must not be empty, except with `file`, which takes precedence."),
            .optional(
                "store", .nonEmptyText.nullable,
                "If absent, the store of the greatest `priority` that offers the product."),
            .optional(
                "file", .nonEmptyText.nullable,
                "The absolute path of a ZIP file on this machine, installed as if from an unsigned store, in place of a "
                    + "store. At the socket, the open file may come with the first byte of a connection's "
                    + "first request (`SCM_RIGHTS`); otherwise the daemon opens the path."),
        ] + Schema.installationOptions)
}

extension Schema {
    /// The properties that requests to install one or several products have in common.
    fileprivate static let installationOptions: [Property] = [
        .optional(
            "consent", Schema.permissions.nullable,
            "The permissions that the user consents to for the product and its dependencies."),
        .optional(
            "consents", .dictionary(to: .permissions).nullable,
            "Further permissions that the user consents to, for single products, by their productIdentifier."),
        .optional("agreed", .agreement, Schema.agreementDescription),
        .optional(
            "priority", .priority.nullable,
            "Among waiting downloads, the one of the greatest priority starts first; 0 if absent."),
        .optional(
            "rateLimit", .count.nullable,
            "The limit in bytes per second for each of the product and its dependencies; 0 is no limit of its own."),
    ]
}

/// The JSON body of the request `POST /v1/installations` to the daemon: several products to install.
public struct BatchInstallRequest: Sendable, Codable {
    /// The identifiers of the products to install.
    public var productIdentifiers: [String]
    /// The name of the store to install all products from.
    ///
    /// If `nil`, it is for each product the store with the greatest priority that offers it.
    public var store: String?
    /// The permissions that the user consents to for the products and their dependencies.
    public var consent: Set<Permission>?
    /// Further permissions that the user consents to, for single products, by product identifier.
    public var consents: [String: Set<Permission>]?
    /// The identifiers of the steps of a plan that the user agreed to; `nil` allows whatever is needed.
    public var agreed: Set<String>?
    /// The priority of the downloads; as in ``InstallRequest``.
    public var priority: Int?
    /// The rate limit in bytes per second for each download; as in ``InstallRequest``.
    public var rateLimit: Int?

    /// Creates the request to install several products, without options.
    public init(productIdentifiers: [String]) { self.productIdentifiers = productIdentifiers }

    /// The permissions that the user consents to, for all products and for single ones.
    public var granted: Consent { Consent(consent ?? [], toProducts: consents ?? [:]) }
}

extension BatchInstallRequest: SchemaProviding {
    public static let schemaName = "BatchInstallRequest"
    public static let schema = Schema.request(
        "The products to install.",
        [
            .required("productIdentifiers", .array(of: .nonEmptyText)),
            .optional(
                "store", .nonEmptyText.nullable,
                "If absent, for each product the store of the greatest `priority` that offers it."),
        ] + Schema.installationOptions)
}

/// The JSON response of the daemon to `POST /v1/installations`: one result for each product.
public struct BatchInstallResponse: Sendable, Codable {
    /// The results in the order of the requested products.
    public var results: [InstallResult]
    /// Creates the response with one result for each product.
    public init(results: [InstallResult]) { self.results = results }
}

extension BatchInstallResponse: SchemaProviding {
    public static let schemaName = "BatchInstallResponse"
    public static let schema = Schema.document(
        "One result for each product, in the order of the request.",
        [.required("results", .array(of: InstallResult.self))])
}

/// The result of the request to install one of several products or packs: an installation or an error.
public struct InstallResult: Sendable, Codable {
    /// The identifier of the product, as requested.
    public var productIdentifier: String
    /// What `POST /v1/downloads` responds for the product; `nil` if no installation was begun.
    @OrNull public var installation: Installation?
    /// Why no installation was begun; `nil` if one was.
    @OrNull public var error: ErrorReport?

    /// Creates the result of the request to install a product.
    public init(productIdentifier: String, installation: Installation? = nil, error: ErrorReport? = nil) {
        self.productIdentifier = productIdentifier
        self.installation = installation
        self.error = error
    }

    /// Creates the result of the request to install a product from what the engine returned or threw.
    public init(productIdentifier: String, _ result: Result<Installation, some Error>) {
        switch result {
        case .success(let installation): self.init(productIdentifier: productIdentifier, installation: installation)
        case .failure(let error): self.init(productIdentifier: productIdentifier, error: ErrorReport(error))
        }
    }
}

extension InstallResult: SchemaProviding {
    public static let schemaName = "InstallResult"
    public static let schema = Schema.document(
        "The result for one of several products.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required(
                "installation", .reference(to: Installation.self).nullable,
                "As from `POST /v1/downloads`; `null` if none was begun."),
            .required(
                "error", .reference(to: ErrorReport.self).nullable, "Why no installation was begun; `null` if one was."),
        ])
}

extension Installation: SchemaProviding {
    public static let schemaName = "Installation"
    public static let schema = Schema.document(
        "The download that installs the product, or the pack if it is installed already.",
        [
            .required("operation", .nonEmptyText.nullable, "`null` if none was started and none is known."),
            .required(
                "download", .reference(to: DownloadStatus.self).nullable, "`null` if the product is installed already."),
            .required("joined", .boolean, "Whether the download was already running for another request."),
            .required(
                "pack", .reference(to: InstalledPack.self).nullable, "The installed pack; `null` if a download runs."),
            .required(
                "warnings", .array(of: .text),
                "The stores that did not respond, or whose catalogue is out of date, with the reason."),
            .required(
                "dependencies", .array(of: .nonEmptyText),
                "The identifiers of the products that are installed as well, because the product needs them."),
            .required(
                "leftOut", .array(of: .text),
                "The paths of hidden files and directories in `file` that are not installed."),
        ])
}
