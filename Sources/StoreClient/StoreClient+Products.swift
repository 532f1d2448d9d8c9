public import FoundationEssentials
public import StoreAPI
public import StoreModel

/// What a search looks for. What is not set does not count.
public struct ProductFilter: Sendable, Hashable {
    public enum Sort: String, Sendable, CaseIterable { case name, newest, popular, price }
    /// All of them must be found in a product's texts.
    public var words: [String]
    public var kind: ProductKind?
    public var category: String?
    /// Only what costs nothing.
    public var freeOnly: Bool
    public var sort: Sort?

    public init(
        words: [String] = [], kind: ProductKind? = nil, category: String? = nil, freeOnly: Bool = false,
        sort: Sort? = nil
    ) {
        self.words = words
        self.kind = kind
        self.category = category
        self.freeOnly = freeOnly
        self.sort = sort
    }
}

extension StoreClient {
    /// Products of all stores; the list's `warnings` name the stores that could not be asked.
    ///
    /// - Parameters:
    ///   - limit: how many at most, from 1 to 1000; all, unless given. The list's `next` then says how it goes on.
    ///   - next: of the piece before, with the same filter: what comes after it is given.
    public func products(
        _ filter: ProductFilter = ProductFilter(), limit: Int? = nil, after next: String? = nil
    ) async throws -> ProductList {
        try await get(
            Resource("products").with("limit", limit.map(String.init)).with("after", next)
                .with("words", filter.words.isEmpty ? nil : filter.words.joined(separator: " "))
                .with("kind", filter.kind?.rawValue).with("category", filter.category)
                .with("free", filter.freeOnly ? "true" : nil).with("sort", filter.sort?.rawValue))
    }

    /// All that is known of a product.
    ///
    /// - Parameter store: whose; without one, the store of highest priority that has it.
    public func product(_ productIdentifier: String, store: String? = nil) async throws -> ProductDocument {
        guard let store else { return try await get(Resource("products", productIdentifier)) }
        return try await get(Resource("products", store, productIdentifier))
    }

    /// One of the pictures that show a product in use, counted from 0, and its media type (such as `image/png`) where
    /// the store tells.
    public func preview(
        _ number: Int, of productIdentifier: String, store: String
    ) async throws -> (image: Data, mediaType: String?) {
        let answer = try await exchange(
            "GET", Resource("products", store, productIdentifier, "previews", String(number)))
        return (answer.body, answer.head["content-type"])
    }
}
