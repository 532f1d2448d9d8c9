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
    public var products: ProductItems { list.items }
    /// Descriptions of irregularities in the catalogue that do not prevent its use, one line each.
    public var warnings: [String] { list.warnings }

    let list: CatalogueProducts
    private let categoryCache = CategoryCache()
    let orderCache = ProductOrderCache()
    /// The catalogue's categories with the number of products in each, by their folded names.
    ///
    /// Counted when they are first asked for: a page of the store shows them beside every search.
    var categories: [String: ProductCategory] { categoryCache.categories(of: products) }
    /// The memory that the products take, in bytes, as it counts for the limit (``CatalogueLimits/memory``).
    let memory: Int

    /// Whether the catalogue was verified with the signatures of its store.
    public var isSigned = false

    /// Creates a catalogue from the products that were parsed from its documents.
    ///
    /// - Parameter memory: the memory that the products take, in bytes.
    public init(
        format: Int, name: LocalizedText? = nil, url: URL, revision: SHA256Digest, list: CatalogueProducts,
        memory: Int = 0
    ) {
        self.format = format
        self.name = name
        self.url = url
        self.revision = revision
        self.list = list
        self.memory = memory
    }

    /// Returns the product with an identifier such as `org.example.cups`; `nil` if the catalogue has none.
    public subscript(productIdentifier: String) -> ProductItem? {
        list.position(of: productIdentifier).map { list.items[$0] }
    }

    /// Returns what lists show of a product (``ProductItems/summary(at:)``); `nil` if the catalogue has none.
    public func summary(of productIdentifier: String) -> ProductItem? {
        list.position(of: productIdentifier).map { list.items.summary(at: $0) }
    }

    /// Returns the price of a product if the catalogue offers exactly this version of it, and has not withdrawn it.
    ///
    /// Only a part of the product is read for it.
    public func price(of productIdentifier: String, at version: Version) -> Price? {
        list.position(of: productIdentifier).flatMap { list.items.price(at: $0, of: version) }
    }
}
