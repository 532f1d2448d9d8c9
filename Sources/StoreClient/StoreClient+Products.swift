public import FoundationEssentials
public import StoreAPI
public import StoreModel

/// The conditions of a search for products; conditions that are not set have no effect.
public struct ProductFilter: Sendable, Hashable {
    public enum Sort: String, Sendable, CaseIterable { case name, newest, popular, price }
    /// The words that must all occur in a product's name, identifier, tags, categories or publisher.
    public var words: [String]
    /// The name of the product, its identifier, or the end of its identifier after a dot.
    public var named: String?
    public var kind: ProductKind?
    public var category: String?
    /// The name of the only store to search; `nil` searches all.
    public var store: String?
    /// Whether the search returns only free products.
    public var freeOnly: Bool
    public var sort: Sort?

    public init(
        words: [String] = [], named: String? = nil, kind: ProductKind? = nil, category: String? = nil,
        store: String? = nil, freeOnly: Bool = false, sort: Sort? = nil
    ) {
        self.words = words
        self.named = named
        self.kind = kind
        self.category = category
        self.store = store
        self.freeOnly = freeOnly
        self.sort = sort
    }
}

extension StoreClient {
    /// Returns the products of all stores that match a filter.
    ///
    /// The list's `warnings` name the stores that could not be reached.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of products in the page, from 1 to 1000; `nil` for all products.
    ///   - next: the token of the previous page with the same filter; `nil` for the first page.
    ///   - isCacheOnly: whether only what the daemon has cached is searched, so that no store is contacted.
    /// - Throws: `store.unknown` if the filter names a store that was not added.
    public func products(
        _ filter: ProductFilter = ProductFilter(), limit: Int? = nil, after next: String? = nil,
        isCacheOnly: Bool = false
    ) async throws -> ProductList {
        try await get(
            Resource("products").with("limit", limit.map(String.init)).with("after", next)
                .with("words", filter.words.isEmpty ? nil : filter.words.joined(separator: " "))
                .with("named", filter.named).with("kind", filter.kind?.rawValue).with("category", filter.category)
                .with("store", filter.store).with("free", filter.freeOnly ? "true" : nil).with(
                    "sort", filter.sort?.rawValue
                )
                .with("cached", isCacheOnly ? "true" : nil))
    }

    /// Returns the categories of the products of one store, or of all, with the number of products in each.
    ///
    /// The list's `warnings` name the stores that could not be reached.
    ///
    /// - Parameters:
    ///   - store: the store's name; `nil` is all stores.
    ///   - isCacheOnly: whether only what the daemon has cached is read, so that no store is contacted.
    /// - Throws: `store.unknown` if the store was not added.
    public func categories(of store: String? = nil, isCacheOnly: Bool = false) async throws -> CategoryList {
        try await get(Resource("categories").with("store", store).with("cached", isCacheOnly ? "true" : nil))
    }

    /// Returns everything known about a product: its catalogue entry, details and installed pack.
    ///
    /// - Parameter store: the store's name; `nil` for the store of highest priority that has the product.
    public func product(_ productIdentifier: String, store: String? = nil) async throws -> ProductDocument {
        guard let store else { return try await get(Resource("products", productIdentifier)) }
        return try await get(Resource("products", store, productIdentifier))
    }

    /// Returns an image of a product, such as its icon, and the media type, such as `image/png`.
    ///
    /// The daemon has checked that it is an image that packs may contain, and caches it.
    public func image(
        _ image: ProductImage, of productIdentifier: String, store: String
    ) async throws -> (image: Data, mediaType: String?) {
        let path = if case .preview(let number) = image { "previews/\(number)" } else { image.name }
        return try await content(of: Resource("products", store, productIdentifier).below(path))
    }

    /// Returns a preview image of a product, and its media type, such as `image/png`.
    ///
    /// - Parameter number: the index of the image, from 0.
    public func preview(
        _ number: Int, of productIdentifier: String, store: String
    ) async throws -> (image: Data, mediaType: String?) {
        try await image(.preview(number), of: productIdentifier, store: store)
    }
}
