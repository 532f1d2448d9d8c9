/// A state of a product for the user.
///
/// A product may have several states; a front-end shows the first one in this order. States are derived, never stored.
public enum ProductState: String, Sendable, Codable, CaseIterable, Comparable {
    /// A task is running for the product.
    case downloading = "Downloading"
    /// The product is the applied skin.
    case inUse = "In Use"
    /// The product's pack is in the library.
    case downloaded = "Downloaded"
    /// The product is on the user's list of purchases.
    case purchased = "Purchased"
    /// The product's price is zero.
    case free = "Free"
    /// The origin of the pack has a newer version.
    case updatable = "Updatable"
    /// The product is in the library, but no longer in the store.
    case withdrawn = "Withdrawn"

    public static func < (a: ProductState, b: ProductState) -> Bool {
        allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)!
    }
}
