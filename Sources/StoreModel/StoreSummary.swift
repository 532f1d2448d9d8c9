public import FoundationEssentials

/// A store that is used, as lists show it.
public struct StoreSummary: Sendable, Hashable, Codable {
    public var name: String
    public var url: URL
    /// Added with `--unsigned`: taken without a signature.
    public var unsigned: Bool
    /// Where several stores have a product, the greatest wins.
    public var priority: Int
    /// When its catalogue was last known to be current; `nil` if never.
    @OrNull public var refreshedAt: Date?
    /// How many products its catalogue lists.
    public var products: Int
    /// Why the last refresh failed, if it did.
    @OrNull public var error: ErrorReport?

    public init(
        name: String, url: URL, unsigned: Bool, priority: Int, refreshedAt: Date? = nil, products: Int = 0,
        error: ErrorReport? = nil
    ) {
        self.name = name
        self.url = url
        self.unsigned = unsigned
        self.priority = priority
        self.refreshedAt = refreshedAt
        self.products = products
        self.error = error
    }
}
