import StoreDatabase
import StoreLibrary
import StoreModel
import StoreSystem

// The pack index stores the library's entries when the library is closed, so that opening a large one does not read
// every receipt.

extension LibraryDatabase {
    /// Returns the entries of the database's index of installed packs, by the name of the pack's directory.
    func index() async throws -> [String: LibraryEntry] {
        Dictionary(try await packs().map { ($0.directory, LibraryEntry($0)) }) { first, _ in first }
    }

    /// Replaces the database's index of installed packs.
    ///
    /// - Parameter index: the library's entries by directory. Packs without a receipt (the file that describes them)
    ///   are omitted: the library examines their directories at each start.
    func keep(_ index: [String: LibraryEntry]) async throws {
        let rows = index.values.compactMap(IndexedPack.init)
        try await write { $0.replacePacks(with: rows) }
    }
}

extension IndexedPack {
    /// Creates a row of the database's index of installed packs; `nil` for a pack without a receipt.
    ///
    /// A receipt is the file in a pack that describes it; a pack that was placed by hand has none.
    fileprivate init?(_ entry: LibraryEntry) {
        guard let receiptFile = entry.receiptFile, let origin = entry.pack.origin else { return nil }
        let pack = entry.pack
        self.init(
            directory: pack.folder, productIdentifier: pack.productIdentifier, kind: pack.kind, name: pack.name,
            version: pack.version, size: pack.size, installedAt: pack.installedAt,
            store: origin.store, operation: origin.operation, isHeld: origin.held,
            asDependency: origin.asDependency, price: origin.price,
            dependencies: origin.dependencies, permissions: origin.permissions, archive: origin.archive,
            receiptIsDamaged: pack.receiptIsDamaged,
            receiptFile: receiptFile)
    }
}

extension LibraryEntry {
    fileprivate init(_ row: IndexedPack) {
        let origin = LibraryPack.Origin(
            store: row.store, operation: row.operation, held: row.isHeld, asDependency: row.asDependency,
            price: row.price, dependencies: row.dependencies, permissions: row.permissions, archive: row.archive)
        let pack = LibraryPack(
            folder: row.directory, productIdentifier: row.productIdentifier, kind: row.kind, name: row.name,
            version: row.version, size: row.size, installedAt: row.installedAt, origin: origin,
            receiptIsDamaged: row.receiptIsDamaged, receiptFile: row.receiptFile)
        self.init(pack)
    }
}
