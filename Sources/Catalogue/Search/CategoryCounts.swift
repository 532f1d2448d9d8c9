public import StoreModel
import Synchronization

/// A count of the products in each category of one or more catalogues.
///
/// Names that differ only in case or diacritics are one category, as in a search; it has the spelling counted first.
public struct CategoryCounts: Sendable {
    private var counts: [String: ProductCategory] = [:]

    public init() {}

    /// Counts the products of a catalogue, except those that the store has withdrawn.
    public mutating func add(_ catalogue: Catalogue) {
        for (key, category) in catalogue.categories {
            counts[key, default: ProductCategory(name: category.name, products: 0)].products += category.products
        }
    }

    /// The counted categories in the order of their names.
    public var categories: [ProductCategory] { counts.sorted { $0.key < $1.key }.map(\.value) }
}

/// A cache of the number of products in each category of one catalogue; copies of the catalogue share it.
///
/// The memory of a catalogue that counts for its limit contains the names of the categories once, in its products.
final class CategoryCache: Sendable {
    private let counted = Mutex<[String: ProductCategory]?>(nil)

    /// Returns the categories of the catalogue's products, by their folded names.
    func categories(of products: ProductItems) -> [String: ProductCategory] {
        counted.withLock { counted in
            if let counted { return counted }
            var counts: [String: ProductCategory] = [:]
            for index in products.indices where !products.isWithdrawn(at: index) {
                // A product may name a category twice.
                var keys: Set<String> = []
                for name in products.product(at: index, .search).categories {
                    let key = SearchText.folded(name)
                    guard keys.insert(key).inserted else { continue }
                    counts[key, default: ProductCategory(name: name, products: 0)].products += 1
                }
            }
            counted = counts
            return counts
        }
    }
}
