public import StoreModel

/// A count of the products in each category of one or more catalogues.
///
/// Names that differ only in case or diacritics are one category, as in a search; it has the spelling counted first.
public struct CategoryCounts: Sendable {
    private var counts: [String: ProductCategory] = [:]

    public init() {}

    /// Counts the products of a catalogue, except those that the store has withdrawn.
    public mutating func add(_ catalogue: Catalogue) {
        for index in catalogue.products.indices {
            let item = catalogue.products.product(at: index, .search)
            if item.withdrawn { continue }
            // A product may name a category twice.
            var counted: Set<String> = []
            for name in item.categories {
                let key = SearchText.folded(name)
                guard counted.insert(key).inserted else { continue }
                counts[key, default: ProductCategory(name: name, products: 0)].products += 1
            }
        }
    }

    /// The counted categories in the order of their names.
    public var categories: [ProductCategory] { counts.sorted { $0.key < $1.key }.map(\.value) }
}
