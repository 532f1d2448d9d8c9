import StoreCatalogue
public import StoreModel

extension Storehouse {
    /// A product as the publisher sees it.
    public struct Listed: Sendable, Hashable, Codable {
        public var productIdentifier: String
        public var kind: ProductKind
        public var name: LocalizedText
        /// The highest that was added.
        public var version: Version
        public var price: Price
        /// Of the archive, in bytes.
        public var size: Int
        public var withdrawn: Bool
        /// What clients are offered now; `nil` where it is nothing.
        @OrNull public var publishedVersion: Version?
    }

    /// All products of the store, in the order of their identifiers.
    public func products() throws -> [Listed] {
        let published = try PublicFolder(path: path + "/" + StoreLayout.published).published()
        return try state().products.map { product in
            let offered = published?.products[product.productIdentifier].flatMap { $0.withdrawn ? nil : $0.version }
            return Listed(
                productIdentifier: product.productIdentifier, kind: product.kind, name: product.current.name,
                version: product.current.version, price: product.price, size: product.current.archive.size,
                withdrawn: product.withdrawn, publishedVersion: offered)
        }
    }
}
