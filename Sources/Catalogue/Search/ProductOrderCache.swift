import StoreModel
import Synchronization

/// A cache of the orders in which searches return the products of one catalogue; copies of the catalogue share it.
///
/// While a user types, or turns pages, each search has the same order. It takes four bytes for each product, which do not
/// count for the limit of the catalogue's memory.
final class ProductOrderCache: Sendable {
    private struct Key: Hashable {
        let sort: SearchOrder
        let languages: [String]
    }

    /// The number of orders that are kept; users of one machine seldom have more languages.
    private static let capacity = 4
    private let orders = Mutex<[(key: Key, order: [Int32])]>([])

    /// Returns the positions of all products in the order that a query requests.
    func order(of products: ProductItems, for query: CatalogueQuery) -> [Int32] {
        let key = Key(sort: query.sort, languages: query.languages)
        return orders.withLock { orders in
            if let known = orders.first(where: { $0.key == key }) { return known.order }
            let order = query.sorted(Array(products.indices)) { products.product(at: $0, .search) }.map(Int32.init)
            orders = orders.suffix(Self.capacity - 1) + [(key, order)]
            return order
        }
    }
}
