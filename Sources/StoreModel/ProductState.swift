/// What a product is to its user. A product may be in several at once; the first that holds, in this order, is
/// the one to show. Derived whenever it is asked for, never stored.
public enum ProductState: String, Sendable, Codable, CaseIterable, Comparable {
    /// A task runs for it.
    case downloading = "Downloading"
    /// It is the skin applied now.
    case inUse = "In Use"
    /// Its pack is in the library.
    case downloaded = "Downloaded"
    /// It is on the user's list of purchases.
    case purchased = "Purchased"
    /// Its price is zero.
    case free = "Free"
    /// A newer version is in the store that its pack came from.
    case updatable = "Updatable"
    /// No longer in the store, still in the library.
    case withdrawn = "Withdrawn"

    public static func < (a: ProductState, b: ProductState) -> Bool {
        allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)!
    }
}
