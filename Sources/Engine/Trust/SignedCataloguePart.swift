import FoundationEssentials
import StoreCatalogue
import StoreSystem
import StoreTrust

/// The part of a signed store's catalogue that one party publishes: the store's owner, or a publisher.
enum SignedCataloguePart: Sendable, Hashable {
    case own
    case publisher(String)

    /// The path of the part's top document in the store.
    var path: String {
        switch self {
        case .own: SignedCatalogueSource.index
        case .publisher(let name): "\(Publisher.directory)/\(name)/\(SignedCatalogueSource.index)"
        }
    }

    /// Returns the path of the directory in which the part's documents are cached.
    ///
    /// - Parameter cache: the store's directory in the cache.
    func cachePath(in cache: Directory) -> String {
        switch self {
        case .own: cache.path
        case .publisher(let name): "\(cache.path)/\(Publisher.directory)/\(name)"
        }
    }
}
