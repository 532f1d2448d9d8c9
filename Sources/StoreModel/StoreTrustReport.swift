public import FoundationEssentials

/// The basis on which a store's catalogue is accepted, with all roles and keys, as `storectl store trust` shows it.
public struct StoreTrustReport: Sendable, Hashable, Codable {
    /// A key that is trusted for a role.
    public struct Key: Sendable, Hashable, Codable {
        /// The identifier of the key in the store's metadata.
        public var id: String
        /// The kind of the key's signatures, such as `ed25519`.
        public var scheme: String
        /// The public key: hexadecimal digits or PEM.
        public var publicKey: String

        public init(id: String, scheme: String, publicKey: String) {
            self.id = id
            self.scheme = scheme
            self.publicKey = publicKey
        }
    }

    /// A role of a store's metadata, with the keys that are trusted for it.
    public struct Role: Sendable, Hashable, Codable {
        /// The name of the role: `root`, `timestamp`, `snapshot` or `targets`.
        public var role: String
        /// The version of the role's metadata; `nil` if there is none yet.
        @OrNull public var version: Int?
        /// When the role's metadata expires; `nil` if there is none yet.
        @OrNull public var expires: Date?
        /// The number of keys that have to sign.
        public var threshold: Int
        public var keys: [Key]

        public init(role: String, version: Int?, expires: Date?, threshold: Int, keys: [Key]) {
            self.role = role
            self.version = version
            self.expires = expires
            self.threshold = threshold
            self.keys = keys
        }
    }

    /// A publisher of a store, who signs products of one identifier prefix.
    public struct Publisher: Sendable, Hashable, Codable {
        public var name: String
        /// The beginning of the identifiers of the publisher's products, such as `org.example.`.
        public var identifierPrefix: String
        /// The number of keys that have to sign.
        public var threshold: Int
        public var keys: [Key]

        public init(name: String, identifierPrefix: String, threshold: Int, keys: [Key]) {
            self.name = name
            self.identifierPrefix = identifierPrefix
            self.threshold = threshold
            self.keys = keys
        }
    }

    /// The name of the store.
    public var store: String
    /// Whether the store's catalogue is accepted only with a valid signature.
    public var signed: Bool
    /// Whether the store publishes signed metadata that its user, who accepted it without a signature, could use.
    public var signatureAvailable: Bool
    /// The root that the user trusts, and when it was verified; `nil` for an unsigned store.
    @OrNull public var signature: StoreSignature?
    /// The age in seconds of the last verification, by the latest time that this computer has seen; `nil` if never.
    @OrNull public var age: Int?
    /// The age in seconds from which a warning is shown (`trust.warnAfter`).
    public var warnAfter: Int
    /// The age in seconds from which nothing is installed or updated (`trust.refuseAfter`).
    public var refuseAfter: Int
    /// Why nothing is installed or updated from the store at present; `nil` if that is possible.
    @OrNull public var refusal: ErrorReport?
    /// The top-level roles of the metadata; empty for an unsigned store.
    public var roles: [Role]
    /// The publishers of the store; empty if all products are the owner's.
    public var publishers: [Publisher]

    /// Creates the report of the basis on which a store's catalogue is accepted.
    public init(
        store: String, signed: Bool, signatureAvailable: Bool, signature: StoreSignature?, age: Int?, warnAfter: Int,
        refuseAfter: Int, refusal: ErrorReport?, roles: [Role], publishers: [Publisher]
    ) {
        self.store = store
        self.signed = signed
        self.signatureAvailable = signatureAvailable
        self.signature = signature
        self.age = age
        self.warnAfter = warnAfter
        self.refuseAfter = refuseAfter
        self.refusal = refusal
        self.roles = roles
        self.publishers = publishers
    }
}
