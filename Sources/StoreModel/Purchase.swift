public import FoundationEssentials

/// One entry of the user's list of purchased products: the product's identifier and the date of the purchase.
public struct Purchase: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var grantedAt: Date

    public init(productIdentifier: String, grantedAt: Date) {
        self.productIdentifier = productIdentifier
        self.grantedAt = grantedAt
    }
}
