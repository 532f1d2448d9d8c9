/// A category of products, as stores name it, with the number of products in it.
public struct ProductCategory: Sendable, Hashable, Codable {
    public var name: String
    /// The number of products in the category; a product that several stores offer counts once for each.
    public var products: Int

    public init(name: String, products: Int) {
        self.name = name
        self.products = products
    }
}
