import StoreLibrary
import StoreModel

/// Whether what a store has now is newer than what is installed of it.
enum UpdateRule {
    /// By version where both have one, and only ever forward. Format 1 has no versions: there another address or size
    /// of the ZIP is a new version.
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
