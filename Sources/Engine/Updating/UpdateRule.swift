import StoreLibrary
import StoreModel

/// A namespace for the rule that decides whether a store offers a newer version than the installed one.
enum UpdateRule {
    /// Returns whether a store's product is newer than a pack that was installed from that store.
    ///
    /// If the store has versions, the product is newer only if its version is greater; a pre-release, only if a
    /// pre-release is installed. Format 1 of the catalogue has no versions: there another URL or size of the archive
    /// counts as a newer version.
    static func isNewer(_ product: ProductItem, than pack: LibraryPack) -> Bool {
        guard let origin = pack.origin, !product.withdrawn, product.defect == nil else { return false }
        if let available = product.version {
            if let installed = pack.version, installed >= available { return false }
            // A pre-release is offered only where one is installed.
            return !available.isPreRelease || pack.version?.isPreRelease == true
        }
        return product.resource.map { resource in
            resource.address != origin.archive.address || (resource.size.map { $0 != origin.archive.size } ?? false)
        } ?? false
    }
}
