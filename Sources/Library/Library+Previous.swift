import StoreModel
import StoreSystem

extension Library {
    /// Returns the products whose installed packs have a previous version that ``rollBack(_:operation:)`` restores.
    ///
    /// A pack that was rolled back keeps the newer version, to which a second rollback does not return. Receipts are read
    /// only of packs that have a previous version, and once for each installed version.
    ///
    /// - Throws: `StoreError` if the directory of previous versions can't be read, or for an error of the disk.
    public func restorable() async throws -> Set<String> {
        let packs = try await all()
        let (folders, known) = (folders, restorableVersions)
        let (products, versions) = try await reading.run {
            let previous = Set(try folders.previous.entries().map(\.name))
            var versions: [OperationID: Bool] = [:]
            var products: Set<String> = []
            for pack in packs where previous.contains(pack.folder) {
                guard let operation = pack.origin?.operation else { continue }
                let isRestorable = try known[operation] ?? folders.hasRestorableVersion(of: pack.folder)
                versions[operation] = isRestorable
                if isRestorable { products.insert(pack.productIdentifier) }
            }
            return (products, versions)
        }
        restorableVersions = versions
        return products
    }
}

extension LibraryDirectories {
    /// Returns whether the pack in a directory has a previous version that is not the one it was rolled back from.
    fileprivate func hasRestorableVersion(of folder: String) throws -> Bool {
        guard let kept = try Receipt.find(folder, in: previous)?.receipt else { return false }
        guard let rolledBackFrom = try Receipt.find(folder, in: packs)?.receipt.rolledBackFrom else { return true }
        return rolledBackFrom != kept.operation
    }
}
