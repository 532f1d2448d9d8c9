public import StoreModel

/// The products of a catalogue document in the document's order, without duplicate product identifiers.
public struct CatalogueProducts: Sendable, Hashable {
    /// The products in the order of the catalogue document.
    public private(set) var items: [ProductItem] = []
    private(set) var indices: [String: Int] = [:]
    /// The identifiers that are listed more than once, the first of them as far as ``warningLimit`` allows.
    private var repeated: [String] = []
    private var repeatedCount = 0

    /// The maximum number of repeated products that warnings name; a catalogue may repeat any number of them.
    private static let warningLimit = 100

    /// Creates an empty list of a catalogue's products.
    public init() {}

    /// Descriptions of irregularities in a catalogue document, one line each, for the store's administrator.
    ///
    /// The products are usable nevertheless.
    public var warnings: [String] {
        let others = repeatedCount - repeated.count
        return repeated.map { "'\($0)' is listed more than once; the first entry is used" }
            + (others > 0 ? ["\(others) more entries repeat an identifier"] : [])
    }

    /// Appends a product of the catalogue; a second one with the same identifier is ignored with a warning.
    mutating func append(_ item: ProductItem) {
        guard indices[item.productIdentifier] == nil else {
            repeatedCount += 1
            if repeated.count < Self.warningLimit { repeated.append(item.productIdentifier) }
            return
        }
        indices[item.productIdentifier] = items.count
        items.append(item)
    }

    mutating func reserveCapacity(_ count: Int) {
        items.reserveCapacity(count)
        indices.reserveCapacity(count)
    }

    mutating func append(contentsOf list: CatalogueProducts) {
        repeatedCount += list.repeatedCount
        repeated += list.repeated.prefix(Self.warningLimit - repeated.count)
        for item in list.items { append(item) }
    }
}
