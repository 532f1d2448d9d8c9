/// A product of a store as searches show it.
public struct ProductSummary: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var store: String
    public var kind: ProductKind
    /// In the language of whoever asked.
    public var name: String
    @OrNull public var version: Version?
    public var price: Price
    /// Of the ZIP, in bytes; `nil` where the store does not say.
    @OrNull public var size: Int?
    public var state: [ProductState]
    /// Why it can't be installed, if so.
    @OrNull public var defect: String?

    public init(_ item: ProductItem, store: String, state: [ProductState], languages: [String]) {
        productIdentifier = item.productIdentifier
        self.store = store
        kind = item.kind
        name = item.productName.text(in: languages)
        version = item.version
        price = item.productPrice
        size = item.resource?.size
        self.state = state
        defect = item.defect
    }
}
