import Algorithms
public import StoreModel

extension Catalogue {
    /// A product that a search has found.
    public struct Found: Sendable {
        /// The index of the product in ``Catalogue/products``.
        ///
        /// A search of several catalogues sorts positions instead of products: copies of all products would take as much
        /// memory as the catalogues.
        public let position: Int
        /// The place of the product in the results of the search.
        public let cursor: SearchCursor
    }

    /// Returns the catalogue's products that match a query, in the order that the query requests.
    ///
    /// Products that the store has withdrawn do not match.
    public func search(_ query: CatalogueQuery) -> [ProductItem] {
        search(query, in: "", after: nil, limit: .max).map { list.items[$0.position] }
    }

    /// Returns the first products that match a query, in the order that the query requests.
    ///
    /// - Parameters:
    ///   - store: the store's name, which distinguishes equal products of several stores.
    ///   - after: the place after which the results begin; `nil` begins with the first product.
    ///   - limit: the largest number of results.
    public func search(
        _ query: CatalogueQuery, in store: String, after: SearchCursor?, limit: Int
    ) -> [Found] {
        func found(_ position: Int) -> Found {
            Found(position: position, cursor: query.cursor(of: list.items.product(at: position, .search), in: store))
        }
        let matching = positions(matching: query)
        // Sorting all products once costs more than sorting a few results.
        let isWorthSorting = matching.count > list.items.count / 8
        guard matching.count > limit,
            let order = orderCache.order(of: list.items, for: query, sortsIfMissing: isWorthSorting)
        else {
            let all = matching.map(found).sorted { $0.cursor < $1.cursor }
            return Array(all.drop { result in after.map { result.cursor <= $0 } ?? false }.prefix(limit))
        }
        var matches = [Bool](repeating: false, count: order.count)
        for position in matching { matches[position] = true }
        let first = after.map { after in order.partitioningIndex { found(Int($0)).cursor > after } } ?? 0
        return order[first...].lazy.map(Int.init).filter { matches[$0] }.prefix(limit).map(found)
    }

    /// Returns the positions in ``products`` of those that match a query, in ascending order.
    ///
    /// Withdrawn products do not match.
    private func positions(matching query: CatalogueQuery) -> [Int] {
        let words = query.words.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map { SearchWord($0) }
        let category = query.category.map(SearchText.folded)
        let named = query.named.map(SearchText.folded)
        let comparesProducts = query.kind != nil || query.freeOnly || category != nil || named != nil
        return list.items.indices.filter { position in
            guard !list.items.isWithdrawn(at: position),
                list.searchTexts.withBytes(at: position, { text in words.allSatisfy { $0.occurs(in: text) } })
            else { return false }
            guard comparesProducts else { return true }
            let item = list.items.product(at: position, .search)
            return (query.kind == nil || item.kind == query.kind)
                && (!query.freeOnly || item.productPrice.isFree)
                && (category == nil || item.categories.contains { SearchText.folded($0) == category })
                && (named.map(item.isNamed) ?? true)
        }
    }
}
