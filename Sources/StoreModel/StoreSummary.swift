public import FoundationEssentials

/// A configured store in lists.
public struct StoreSummary: Sendable, Hashable, Codable {
    public var name: String
    public var url: URL
    /// Whether the store was added with `--unsigned`.
    public var unsigned: Bool
    /// The priority; if several stores offer a product, the greatest is used.
    public var priority: Int
    /// When the catalogue was last known to be current; `nil` if never.
    @OrNull public var refreshedAt: Date?
    /// The number of products in its catalogue.
    public var products: Int
    /// Why the last refresh failed, or `nil`.
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
