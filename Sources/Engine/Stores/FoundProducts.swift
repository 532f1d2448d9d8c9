public import StoreCatalogue
public import StoreModel

/// The products that a search of all stores found; each is decoded when it is requested.
public struct FoundProducts: Sendable {
    /// Warnings for display about stores that did not respond.
    public let warnings: [String]
    /// The position of the last product of this page of results, if more follow; else `nil`.
    public let next: SearchCursor?
    let stores: [(name: String, isSigned: Bool, products: ProductItems?)]
    let states: ProductStates
    let languages: [String]
    /// The index of each product's store, and the product's index in the store's catalogue.
    let places: [(store: Int, index: Int)]

    /// The number of products that were found.
    public var count: Int { places.count }

    /// Returns whether the pack of a product was placed by hand, so that it came from no store.
    public func isUnmanaged(_ productIdentifier: String) -> Bool {
        states.packs[productIdentifier].map { !$0.isVerifiable } ?? false
    }

    /// All products that were found, in the order of the search.
    public var products: [ProductSummary] { products(in: places.indices) }

    /// Returns some of the products that were found, in the order of the search.
    ///
    /// - Parameter icon: returns the address of a product's icon for clients, for a product and the name of its store.
    public func products(
        in range: Range<Int>, icon: (ProductItem, String) -> String? = { _, _ in nil }
    ) -> [ProductSummary] {
        places[range].compactMap { place in
            let store = stores[place.store]
            guard let item = store.products?.summary(at: place.index) else { return nil }
            return ProductSummary(
                item, store: store.name, signed: store.isSigned, state: states.states(of: item, in: store.name),
                languages: languages,
                icon: icon(item, store.name))
        }
    }
}
