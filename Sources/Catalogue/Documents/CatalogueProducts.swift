public import StoreModel

/// The products of a catalogue document in the document's order, without duplicate identifiers.
public struct CatalogueProducts: Sendable, Hashable {
    /// The products in the order of the document.
    public private(set) var items: [ProductItem] = []
    /// Descriptions of irregularities for the administrator, one line each; the products are usable nevertheless.
    public private(set) var warnings: [String] = []
    private(set) var indices: [String: Int] = [:]

    /// Creates an empty list of products.
    public init() {}

    /// Appends a product; a second product with the same identifier is ignored with a warning.
    mutating func append(_ item: ProductItem) {
        guard indices[item.productIdentifier] == nil else {
            warnings.append("'\(item.productIdentifier)' is listed more than once; the first entry is used")
            return
        }
        indices[item.productIdentifier] = items.count
        items.append(item)
    }

    mutating func append(contentsOf list: CatalogueProducts) {
        warnings += list.warnings
        for item in list.items { append(item) }
    }
}
