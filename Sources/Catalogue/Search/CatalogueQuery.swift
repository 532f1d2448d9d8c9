public import StoreModel

/// A search for products: the conditions that products must meet, and the order of the results.
public struct CatalogueQuery: Sendable, Hashable {
    /// The words that must all occur in the product's name, identifier, tags, categories or publisher.
    public var words: [String]
    /// The kind of content that products must have; `nil` is any.
    public var kind: ProductKind?
    /// The category that products must have, compared without case and diacritics; `nil` is any.
    public var category: String?
    /// Whether only products without a price match.
    public var freeOnly: Bool
    /// The order in which matching products are returned.
    public var sort: SearchOrder
    /// The user's languages, the preferred first: products are sorted by their names in these languages.
    public var languages: [String]

    /// Creates a query; without arguments, it matches all products.
    public init(
        words: [String] = [], kind: ProductKind? = nil, category: String? = nil, freeOnly: Bool = false,
        sort: SearchOrder = .name, languages: [String] = []
    ) {
        self.words = words
        self.kind = kind
        self.category = category
        self.freeOnly = freeOnly
        self.sort = sort
        self.languages = languages
    }
}
