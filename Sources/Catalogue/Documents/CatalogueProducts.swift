public import StoreModel

/// The products of a catalogue document in the document's order, without duplicate product identifiers.
public struct CatalogueProducts: Sendable, Hashable {
    /// The products in the order of the catalogue document.
    public private(set) var items: [ProductItem] = []
    /// Descriptions of irregularities in a catalogue document, one line each, for the store's administrator.
    ///
    /// The products are usable nevertheless.
    public private(set) var warnings: [String] = []
    private(set) var indices: [String: Int] = [:]

    /// Creates an empty list of a catalogue's products.
    public init() {}

    /// Appends a product of the catalogue; a second one with the same identifier is ignored with a warning.
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
