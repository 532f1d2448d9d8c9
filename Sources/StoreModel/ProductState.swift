/// A state of a product that is shown to the user.
///
/// A product may have several states; a front-end shows the first one in this order. States are computed from the
/// library, the downloads and the catalogue, and never stored.
public enum ProductState: String, Sendable, Codable, CaseIterable, Comparable {
    /// A download of the product is running.
    case downloading = "Downloading"
    /// The product is a skin, and the one that is applied.
    case inUse = "In Use"
    /// The product is installed.
    case downloaded = "Downloaded"
    /// The product is on the user's list of purchases.
    case purchased = "Purchased"
    /// The product has a price and is not on the user's list of purchases: it has to be bought before it is installed.
    case notPurchased = "Not Purchased"
    /// The product costs nothing.
    case free = "Free"
    /// The product is installed, and its store has a newer version.
    case updatable = "Updatable"
    /// The product is installed, but no longer in the store.
    case withdrawn = "Withdrawn"

    public static func < (a: ProductState, b: ProductState) -> Bool {
        allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)!
    }
}
