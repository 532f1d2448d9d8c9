public import StoreModel

/// Products in the order of their documents, each identifier once, with what was odd about them.
public struct ProductList: Sendable, Hashable {
    public private(set) var items: [ProductItem] = []
    /// One line each, for the administrator: the products are usable all the same.
    public private(set) var warnings: [String] = []
    private(set) var places: [String: Int] = [:]

    public init() {}

    /// Of two products with one identifier the first is taken.
    mutating func append(_ item: ProductItem) {
        guard places[item.productIdentifier] == nil else {
            warnings.append("'\(item.productIdentifier)' is listed more than once; the first is taken.")
            return
        }
        places[item.productIdentifier] = items.count
        items.append(item)
    }

    mutating func append(contentsOf list: ProductList) {
        warnings += list.warnings
        for item in list.items { append(item) }
    }
}
