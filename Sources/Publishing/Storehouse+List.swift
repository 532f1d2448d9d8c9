import StoreCatalogue
public import StoreModel

extension Storehouse {
    /// A product in the listing that the publisher's tool prints.
    public struct Listed: Sendable, Hashable, Codable {
        /// The identifier of the listed product.
        public var productIdentifier: String
        /// The kind of the product's content.
        public var kind: ProductKind
        /// The product's name for display.
        public var name: LocalizedText
        /// The highest version of the product that was added.
        public var version: Version
        /// The product's price.
        public var price: Price
        /// The size of the archive in bytes.
        public var size: Int
        /// Whether the product is withdrawn.
        public var withdrawn: Bool
        /// The version that clients are offered now; `nil` where there is none.
        @OrNull public var publishedVersion: Version?
    }

    /// Returns all products of the store, ordered by identifier.
    public func products() throws -> [Listed] {
        let published = try PublicDirectory(path: path + "/" + StoreLayout.published).published()
        return try state().products.map { product in
            let offered = published?.products[product.productIdentifier].flatMap { $0.withdrawn ? nil : $0.version }
            return Listed(
                productIdentifier: product.productIdentifier, kind: product.kind, name: product.current.name,
                version: product.current.version, price: product.price, size: product.current.archive.size,
                withdrawn: product.withdrawn, publishedVersion: offered)
        }
    }
}
