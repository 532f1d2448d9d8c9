import StoreLibrary
import StoreModel

/// The rule that decides whether a store offers a newer version than the installed one.
enum UpdateRule {
    /// Returns whether a product of a store is newer than a pack that came from that store.
    ///
    /// Versions decide, where the store has them, and only ever forward. Format 1 has no versions: there another address or size
    /// of the archive is a newer version.
    static func isNewer(_ product: ProductItem, than pack: LibraryPack) -> Bool {
        guard let origin = pack.origin, !product.withdrawn, product.defect == nil else { return false }
        if let available = product.version {
            guard let installed = pack.version else { return true }
            return installed < available
        }
        return product.resource.map { resource in
            resource.url != origin.archive.url || (resource.size.map { $0 != origin.archive.size } ?? false)
        } ?? false
    }
}
