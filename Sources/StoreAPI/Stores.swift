public import FoundationEssentials
public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/stores` and `POST /v1/refresh`: the stores that the user added.
public struct StoreList: Sendable, Codable {
    /// The stores that the user added, in descending order of priority.
    public var stores: [StoreSummary]
    /// Creates the response with the stores that the user added.
    public init(stores: [StoreSummary]) { self.stores = stores }
}

extension StoreList: SchemaProviding {
    public static let schemaName = "StoreList"
    public static let schema = Schema.document(
        "The configured stores, in descending order of priority.",
        [.required("stores", .array(of: StoreSummary.self))])
}

extension StoreSummary: SchemaProviding {
    public static let schemaName = "Store"
    public static let schema = Schema.document(
        "A configured store.",
        [
            .required("name", .nonEmptyText),
            .required("url", .uri),
            .required("unsigned", .boolean, "Whether the store is accepted without a signature."),
            .required("priority", .integer, "Where several stores offer a product, the greatest priority wins."),
            .required("refreshedAt", .dateTime.nullable, "When the catalogue was last known to be current."),
            .required("products", .count, "The number of products in the catalogue."),
            .optional(
                "withdrawn", .count, "The number of these products that the store has withdrawn, if there are any."),
            .required("error", .reference(to: ErrorReport.self).nullable, "Why the last refresh failed, if it did."),
            .required(
                "signature", .reference(to: StoreSignature.self).nullable,
                "The root with which the store is verified. `null` for an unsigned store."),
            .required(
                "signatureAvailable", .boolean,
                "Whether the store, which was added without a signature, publishes signed metadata now."),
        ])
}

/// The JSON body of the request `POST /v1/stores` to the daemon: the store to add.
public struct AddStoreRequest: Sendable, Codable {
    /// The name by which the user refers to the store to add.
    public var name: String
    /// The URL of the store's directory, or of the catalogue itself.
    public var url: URL
    /// Whether to accept the store although its catalogue is not signed; `false` if `nil`.
    public var unsigned: Bool?
    /// The store's priority; if `nil`, 0 for a new store, and unchanged for one that was added before.
    ///
    /// If several stores offer a product, the store with the greatest priority is used.
    public var priority: Int?
    /// The access token that authenticates requests to the store; `nil` sends none.
    ///
    /// The daemon saves it and never returns it.
    public var token: String?
    /// Whether to read user and password for the store from the user's `.netrc`.
    ///
    /// If `nil`, that is unchanged for a store that was added before without a ``token`` now, and `false` otherwise.
    public var netrc: Bool?
    /// The bytes of the root of a signed store, base64-encoded in JSON.
    public var root: Data?
    /// The URL from which the daemon fetches the root of a signed store, instead of ``root``.
    public var rootURL: URL?
    /// The fingerprint that the root must have; alone, it accepts the first root on the store's server.
    public var fingerprint: String?

    /// Creates the request to add a store.
    public init(
        name: String, url: URL, unsigned: Bool? = nil, priority: Int? = nil, token: String? = nil, netrc: Bool? = nil,
        root: Data? = nil, rootURL: URL? = nil, fingerprint: String? = nil
    ) {
        self.name = name
        self.url = url
        self.unsigned = unsigned
        self.priority = priority
        self.token = token
        self.netrc = netrc
        self.root = root
        self.rootURL = rootURL
        self.fingerprint = fingerprint
    }
}

extension AddStoreRequest: SchemaProviding {
    public static let schemaName = "AddStoreRequest"
    public static let schema = Schema.request(
        "The store to add.",
        [
            .required("name", .text(.storeName)),
            .required("url", .uri, "The address of the store's directory, or of the catalogue itself."),
            .optional("unsigned", .boolean.nullable, "Whether to accept the store although it is not signed."),
            .optional(
                "priority", .priority.nullable,
                "Where several stores offer a product, the greatest priority wins. If absent, that of the store if it was "
                    + "added before, else 0."),
            .optional(
                "token", .text.nullable,
                "The access token that authenticates requests to the store. It is saved and never returned."),
            .optional(
                "netrc", .boolean.nullable,
                "Whether to take user and password from the user's `.netrc`. If absent, unchanged without a `token`."),
            .optional(
                "root", .text(.base64).nullable,
                "The root of a signed store: the bytes of the file, base64-encoded. It is trusted from then on."),
            .optional(
                "rootURL", .uri.nullable, "The address from which the daemon fetches the root, instead of `root`."),
            .optional(
                "fingerprint", .text.nullable,
                "The fingerprint that the root must have, in hexadecimal digits. Alone, it accepts the first root on the "
                    + "store's server."),
        ])
}
