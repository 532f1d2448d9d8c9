import StoreCatalogue
public import StoreModel

extension Storehouse {
    /// A product in the list that the publisher's tool prints, with its published version.
    public struct Listed: Sendable, Hashable, Codable {
        /// The identifier of the product in the list of the publisher's tool.
        public var productIdentifier: String
        /// The kind of the product in the list of the publisher's tool, such as sticker pack or skin.
        public var kind: ProductKind
        /// The name for display of the product in the list of the publisher's tool.
        public var name: LocalizedText
        /// The highest version of the listed product that the publisher added.
        public var version: Version
        /// The price of the product in the list of the publisher's tool.
        public var price: Price
        /// The size in bytes of the archive of the listed product's highest version.
        public var size: Int
        /// Whether the publisher has withdrawn the listed product, so that it is no longer offered.
        public var withdrawn: Bool
        /// The version of the listed product that clients are offered now; `nil` if there is none.
        @OrNull public var publishedVersion: Version?
        /// Whether the next publication changes what clients see of the listed product, such as its price.
        public var hasUnpublishedChanges: Bool
    }

    /// Returns all products of the publisher's store, ordered by product identifier.
    public func products() throws -> [Listed] {
        let state = try state()
        let directory = try publicDirectory(of: state)
        let published = try directory.published()
        let upcoming = directory.catalogue(of: try Publication(state))
        return state.products.map { product in
            let identifier = product.productIdentifier
            let offered = published?.products[product.productIdentifier].flatMap { $0.withdrawn ? nil : $0.version }
            return Listed(
                productIdentifier: product.productIdentifier, kind: product.kind, name: product.current.name,
                version: product.current.version, price: product.price, size: product.current.archive.size,
                withdrawn: product.withdrawn, publishedVersion: offered,
                hasUnpublishedChanges: published?.products[identifier] != upcoming?.products[identifier])
        }
    }
}
