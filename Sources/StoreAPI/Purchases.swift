public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/purchases`: the user's list of purchases.
public struct PurchaseList: Sendable, Codable {
    /// The user's purchases, in the order of their product identifiers.
    public var purchases: [Purchase]
    /// Creates the response with the user's list of purchases.
    public init(purchases: [Purchase]) { self.purchases = purchases }
}

extension PurchaseList: SchemaProviding {
    public static let schemaName = "PurchaseList"
    public static let schema = Schema.document(
        "The user's list of purchases.", [.required("purchases", .array(of: Purchase.self))])
}

extension Purchase: SchemaProviding {
    public static let schemaName = "Purchase"
    public static let schema = Schema.document(
        "One entry of the list of purchases.",
        [.required("productIdentifier", .nonEmptyText), .required("grantedAt", .dateTime)])
}
