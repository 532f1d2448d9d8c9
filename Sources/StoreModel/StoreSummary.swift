public import FoundationEssentials

/// A store (a server with a catalogue of products) that the user has added, as it is listed to clients.
public struct StoreSummary: Sendable, Hashable, Codable {
    public var name: String
    public var url: URL
    /// Whether the store's catalogue is accepted without a signature: the store was added with `--unsigned`.
    public var unsigned: Bool
    /// The store's priority; if several stores offer a product, the store with the greatest priority is used.
    public var priority: Int
    /// When the store's catalogue was last known to be current; `nil` if never.
    @OrNull public var refreshedAt: Date?
    /// The number of products in the store's catalogue.
    public var products: Int
    /// The number of those products that the store has withdrawn; `nil` if there are none.
    public var withdrawn: Int?
    /// Why the last refresh of the store's catalogue failed; `nil` if it succeeded.
    @OrNull public var error: ErrorReport?
    /// The root with which the store is verified, and when it was; `nil` for an unsigned store.
    @OrNull public var signature: StoreSignature?
    /// Whether the store, which was added without a signature, publishes signed metadata now.
    public var signatureAvailable: Bool

    public init(
        name: String, url: URL, unsigned: Bool, priority: Int, refreshedAt: Date? = nil, products: Int = 0,
        withdrawn: Int? = nil, error: ErrorReport? = nil, signature: StoreSignature? = nil,
        signatureAvailable: Bool = false
    ) {
        self.name = name
        self.url = url
        self.unsigned = unsigned
        self.priority = priority
        self.refreshedAt = refreshedAt
        self.products = products
        self.withdrawn = withdrawn
        self.error = error
        self.signature = signature
        self.signatureAvailable = signatureAvailable
    }
}
