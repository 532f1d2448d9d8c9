/// A state of a product that is shown to the user.
///
/// A product may have several states; a front-end shows the first one in this order. States are computed from the
/// library, the downloads and the catalogue, and never stored.
public enum ProductState: String, Sendable, Codable, CaseIterable, Comparable {
    /// A download task is running for the product.
    case downloading = "Downloading"
    /// The product is the applied skin.
    case inUse = "In Use"
    /// The product's pack is installed.
    case downloaded = "Downloaded"
    /// The product is on the user's list of purchases.
    case purchased = "Purchased"
    /// The product's price is zero.
    case free = "Free"
    /// The store that the pack was installed from has a newer version.
    case updatable = "Updatable"
    /// The product is installed, but no longer in the store.
    case withdrawn = "Withdrawn"

    public static func < (a: ProductState, b: ProductState) -> Bool {
        allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)!
    }
}
