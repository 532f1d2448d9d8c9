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
    }

    /// The number of orders that are kept: those of all values of ``SearchOrder``, for the languages of a browser and for
    /// those of the command line.
    private static let capacity = 8
    /// The least recently used first.
    private let orders = Mutex<[(key: Key, order: [Int32])]>([])

    /// Returns the positions of all products in the order that a query requests; `nil` if that order is not kept and
    /// `sortsIfMissing` is `false`.
    func order(of products: ProductItems, for query: CatalogueQuery, sortsIfMissing: Bool) -> [Int32]? {
        let key = Key(sort: query.sort, languages: query.languages)
        let known = orders.withLock { orders in
            orders.firstIndex { $0.key == key }.map { index in
                orders.append(orders.remove(at: index))
                return orders[orders.count - 1].order
            }
        }
        if known != nil || !sortsIfMissing { return known }
        let order = query.sorted(Array(products.indices)) { products.product(at: $0, .search) }.map(Int32.init)
        orders.withLock { $0 = $0.filter { $0.key != key }.suffix(Self.capacity - 1) + [(key, order)] }
        return order
    }
}
