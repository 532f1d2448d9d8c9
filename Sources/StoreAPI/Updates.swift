public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/updates`: the available updates, some of them held back with a reason.
public struct UpdateList: Sendable, Codable {
    /// The available updates of installed packs, including those that are held back.
    public var updates: [AvailableUpdate]
    /// A message for each store that did not respond, with the reason.
    public var warnings: [String]
    /// The error of the first store that did not respond when updates were searched; `nil` if all responded.
    public var error: ErrorReport?

    /// Creates the response with the available updates.
    public init(updates: [AvailableUpdate], warnings: [String] = [], error: ErrorReport? = nil) {
        self.updates = updates
        self.warnings = warnings
        self.error = error
    }
}

extension UpdateList: SchemaProviding {
    public static let schemaName = "UpdateList"
    public static let schema = Schema.document(
        "The available updates, and why others are held back.",
        [
            .required("updates", .array(of: AvailableUpdate.self)),
            .required("warnings", .array(of: .text), "The stores that did not respond, with the reason."),
            .optional("error", .reference(to: ErrorReport.self), "The error of the first store that did not respond."),
        ])
}

extension AvailableUpdate: SchemaProviding {
    public static let schemaName = "Update"
    public static let schema = Schema.document(
        "A newer version of an installed pack, or why there can be none.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("store", .nonEmptyText),
            .required("installed", .version),
            .required("available", .version),
            .required("heldBack", .text.nullable, "Why an update that names no products skips this one."),
            .required("permissions", .permissions, "The new version's permissions that lack consent."),
        ])
}

/// The JSON body of the request `POST /v1/updates` to the daemon: the packs to update.
public struct UpdateRequest: Sendable, Codable {
    /// The identifiers of the products to update; if `nil`, all that have an update that is not held back.
    public var productIdentifiers: [String]?
    /// The permissions that the user consents to for the new versions and their dependencies.
    public var consent: Set<Permission>?
    /// Further permissions that the user consents to, for single products, by product identifier.
    public var consents: [String: Set<Permission>]?
    /// The identifiers of the steps of a plan that the user agreed to; `nil` allows whatever is needed.
    public var agreed: Set<String>?

    /// Creates the request to update some or all packs.
    public init(
        productIdentifiers: [String]? = nil, consent: Set<Permission>? = nil,
        consents: [String: Set<Permission>]? = nil, agreed: Set<String>? = nil
    ) {
        self.productIdentifiers = productIdentifiers
        self.consent = consent
        self.consents = consents
        self.agreed = agreed
    }

    /// The permissions that the user consents to, for all products and for single ones.
    public var granted: Consent { Consent(consent ?? [], toProducts: consents ?? [:]) }
}

extension UpdateRequest: SchemaProviding {
    public static let schemaName = "UpdateRequest"
    public static let schema = Schema.request(
        "The packs to update.",
        [
            .optional(
                "productIdentifiers", .array(of: .nonEmptyText).nullable,
                "The products to update. If absent, all that are not held and need no further consent."),
            .optional(
                "consent", Schema.permissions.nullable,
                "The permissions that the user consents to for the new versions and their dependencies."),
            .optional(
                "consents", .dictionary(to: .permissions).nullable,
                "Further permissions that the user consents to, for single products, by their productIdentifier."),
            .optional("agreed", .agreement, Schema.agreementDescription),
        ])
}
