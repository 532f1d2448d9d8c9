import StoreModel
import Synchronization

/// A cache of the orders in which searches return the products of one catalogue; copies of the catalogue share it.
///
/// While a user types, or turns pages, each search has the same order. An order takes four bytes for each product, which do
/// not count for the limit of the catalogue's memory.
final class ProductOrderCache: Sendable {
    private struct Key: Hashable {
        let sort: SearchOrder
        let languages: [String]

        init(_ query: CatalogueQuery) { (sort, languages) = (query.sort, query.languages) }
    }

    /// The number of orders that are kept: of each sort in the languages of a browser and of the command line.
    private static let capacity = 8
    /// The least recently used first.
    private let orders = Mutex<[(key: Key, order: [Int32])]>([])

    /// Returns whether the order that a query requests is kept.
    func has(_ query: CatalogueQuery) -> Bool {
        let key = Key(query)
        return orders.withLock { $0.contains { $0.key == key } }
    }

    /// Returns the positions of all products in the order that a query requests.
    func order(of products: ProductItems, for query: CatalogueQuery) -> [Int32] {
        let key = Key(query)
        let known = orders.withLock { orders in
            orders.firstIndex { $0.key == key }.map { index in
                orders.append(orders.remove(at: index))
                return orders[orders.count - 1].order
            }
        }
        if let known { return known }
        let order = query.sorted(Array(products.indices)) { products.product(at: $0, .search) }.map(Int32.init)
        orders.withLock { $0 = $0.filter { $0.key != key }.suffix(Self.capacity - 1) + [(key, order)] }
        return order
    }
}
