/// A product of a store as it is listed in search results, with few properties.
public struct ProductSummary: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var store: String
    /// Whether the store's catalogue was verified with its signatures.
    public var signed: Bool
    public var kind: ProductKind
    /// The display name of the product in the client's language.
    public var name: String
    @OrNull public var publisher: String?
    /// The address of the image for lists below the daemon's, such as `/v1/products/shop/org.example.cups/icon`.
    ///
    /// `nil` if the catalogue has no image of the product, also where its details document has one, or if the product is
    /// not listed by a daemon.
    @OrNull public var icon: String?
    @OrNull public var version: Version?
    public var price: Price
    /// The size of the product's archive in bytes; `nil` if unknown.
    @OrNull public var size: Int?
    public var state: [ProductState]
    /// Why the product can't be installed, as text; `nil` if it can.
    @OrNull public var defect: String?

    public init(
        _ item: ProductItem, store: String, signed: Bool = false, state: [ProductState], languages: [String],
        icon: String? = nil
    ) {
        productIdentifier = item.productIdentifier
        self.store = store
        self.signed = signed
        kind = item.kind
        name = item.productName.text(in: languages)
        publisher = item.publisher
        self.icon = icon
        version = item.version
        price = item.productPrice
        size = item.resource?.size
        self.state = state
        defect = item.defect
    }
}
