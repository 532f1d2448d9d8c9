public import StoreModel

/// A search in a catalogue: the conditions that products must meet, and the order of the results.
public struct CatalogueQuery: Sendable, Hashable {
    /// The words of the search, which must all occur in the product's name, identifier, tags, categories or publisher.
    public var words: [String]
    /// The product's name, its identifier, or the end of its identifier after a dot; `nil` finds all products.
    ///
    /// It is compared without case and diacritics: `cups` finds `org.example.cups` and a product with the name `Cups`.
    public var named: String?
    /// The kind of product to search for, such as sticker pack or skin; `nil` finds all kinds.
    public var kind: ProductKind?
    /// The category to search in, compared without case and diacritics; `nil` finds products of all categories.
    public var category: String?
    /// Whether the search finds only products without a price.
    public var freeOnly: Bool
    /// The order in which the search returns the products it finds.
    public var sort: SearchOrder
    /// The user's languages, the preferred first: found products are sorted by their names in these languages.
    public var languages: [String]

    /// Creates a search for products; without arguments, it finds all products.
    public init(
        words: [String] = [], named: String? = nil, kind: ProductKind? = nil, category: String? = nil,
        freeOnly: Bool = false, sort: SearchOrder = .name, languages: [String] = []
    ) {
        self.words = words
        self.named = named
        self.kind = kind
        self.category = category
        self.freeOnly = freeOnly
        self.sort = sort
        self.languages = languages
    }
}

extension ProductItem {
    /// Returns whether a text is the product's name in any language, its identifier, or the end of that after a dot.
    ///
    /// - Parameter text: without case and diacritics (``SearchText/folded(_:)``).
    func isNamed(_ text: String) -> Bool {
        if text.isEmpty { return false }
        let identifier = SearchText.folded(productIdentifier)
        return identifier == text || identifier.hasSuffix("." + text)
            || productName.byLanguage.values.contains { SearchText.folded($0) == text }
    }
}
