public import FoundationEssentials
public import StoreModel

/// The products that one store offers, at one revision of the store's catalogue.
public struct Catalogue: Sendable {
    /// The format of the store's catalogue documents, 1 or 2.
    public let format: Int
    /// The store's name for display; `nil` if the catalogue has none.
    public let name: LocalizedText?
    /// The URL from which the catalogue's top document was fetched, after redirects.
    public let url: URL
    /// The SHA-256 of the catalogue's top document, which changes whenever anything in the catalogue changes.
    public let revision: SHA256Digest
    /// The products of the catalogue, in the order of its documents.
    public var products: [ProductItem] { list.items }
    /// Descriptions of irregularities in the catalogue that do not prevent its use, one line each.
    public var warnings: [String] { list.warnings }

    private let list: CatalogueProducts
    /// The text that a search examines, for each product of the catalogue in the order of ``products``.
    private let searchTexts: [String]

    /// Creates a catalogue from the products that were parsed from its documents.
    public init(format: Int, name: LocalizedText? = nil, url: URL, revision: SHA256Digest, list: CatalogueProducts) {
        self.format = format
        self.name = name
        self.url = url
        self.revision = revision
        self.list = list
        searchTexts = list.items.map { item in
            let names = item.productName.byLanguage.sorted { $0.key < $1.key }.map(\.value)
            let parts = names + [item.productIdentifier] + item.tags + item.categories + [item.publisher ?? ""]
            let text = parts.joined(separator: "\n").utf8.prefix(CatalogueLimits.searchTextLength)
            return SearchText.folded(String(decoding: text, as: UTF8.self))
        }
    }

    /// Returns the product with an identifier such as `org.example.cups`; `nil` if the catalogue has none.
    public subscript(productIdentifier: String) -> ProductItem? {
        list.indices[productIdentifier].map { list.items[$0] }
    }

    /// Returns the catalogue's products that match a query, in the order that the query requests.
    ///
    /// Products that the store has withdrawn do not match.
    public func search(_ query: CatalogueQuery) -> [ProductItem] {
        query.sorted(positions(matching: query).map { list.items[$0] }) { $0 }
    }

    /// Returns the positions in ``products`` of those that match a query, in ascending order.
    ///
    /// A search of several catalogues sorts positions instead of products: copies of all products would take as much
    /// memory as the catalogues. Withdrawn products do not match.
    public func positions(matching query: CatalogueQuery) -> [Int] {
        let words = query.words.flatMap { $0.split(whereSeparator: \.isWhitespace) }
            .map { SearchText.folded(String($0)) }
        let category = query.category.map(SearchText.folded)
        return list.items.indices.filter { position in
            let item = list.items[position]
            return !item.withdrawn
                && (query.kind == nil || item.kind == query.kind)
                && (!query.freeOnly || item.productPrice.isFree)
                && (category == nil || item.categories.contains { SearchText.folded($0) == category })
                && words.allSatisfy { searchTexts[position].contains($0) }
        }
    }
}
