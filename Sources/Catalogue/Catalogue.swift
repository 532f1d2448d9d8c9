public import FoundationEssentials
public import StoreModel

/// All products of one store, as they were at one moment.
public struct Catalogue: Sendable {
    /// 1 or 2.
    public let format: Int
    /// Of the store, where its catalogue says.
    public let name: LocalizedText?
    /// Where the document was found, after redirections.
    public let url: URL
    /// The hash of the document: it changes whenever anything in the catalogue does.
    public let revision: SHA256Digest
    /// In the order of the documents.
    public var products: [ProductItem] { list.items }
    /// What was odd, one line each.
    public var warnings: [String] { list.warnings }

    private let list: ProductList
    /// What searches look through, one for each product in the same order.
    private let searchTexts: [String]

    public init(format: Int, name: LocalizedText? = nil, url: URL, revision: SHA256Digest, list: ProductList) {
        self.format = format
        self.name = name
        self.url = url
        self.revision = revision
        self.list = list
        searchTexts = list.items.map { item in
            let names = item.productName.byLanguage.sorted { $0.key < $1.key }.map(\.value)
            let parts = names + [item.productIdentifier] + item.tags + item.categories + [item.publisher ?? ""]
            return SearchText.folded(parts.joined(separator: "\n"))
        }
    }

    public subscript(productIdentifier: String) -> ProductItem? {
        list.places[productIdentifier].map { list.items[$0] }
    }

    /// The products that the query asks for, in its order. Withdrawn ones are not offered, and so not found.
    public func search(_ query: CatalogueQuery) -> [ProductItem] {
        let words = query.words.flatMap { $0.split(whereSeparator: \.isWhitespace) }
            .map { SearchText.folded(String($0)) }
        let category = query.category.map(SearchText.folded)
        let found = zip(list.items, searchTexts).filter { item, text in
            !item.withdrawn
                && (query.kind == nil || item.kind == query.kind)
                && (!query.freeOnly || item.productPrice.isFree)
                && (category == nil || item.categories.contains { SearchText.folded($0) == category })
                && words.allSatisfy { text.contains($0) }
        }
        return query.sorted(found.map(\.0)) { $0 }
    }
}
