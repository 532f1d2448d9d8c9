import FoundationEssentials
import StoreDatabase
import StoreLibrary
import StoreModel

// The index of packs in the database: what the library knew when it was closed, so that opening a large library does
// not read every receipt. A row that does not fit the receipt on the disk is read again.

extension LibraryDatabase {
    func index() async throws -> [String: LibraryEntry] {
        var index: [String: LibraryEntry] = [:]
        for row in try await packs() {
            index[row.folder] = try? JSON.read(LibraryEntry.self, from: row.receipt)
        }
        return index
    }

    func keep(_ index: [String: LibraryEntry]) async throws {
        let rows = try index.compactMap { folder, entry in
            try entry.stamp.map { stamp in
                IndexedPack(
                    folder: folder, kind: entry.pack.kind, productIdentifier: entry.pack.productIdentifier,
                    receipt: try JSON.encode(entry), size: entry.pack.size,
                    receiptFile: IndexedPack.FileMark(
                        inode: stamp.inode, modifiedAt: Date(timeIntervalSince1970: stamp.modifiedAt)))
            }
        }
        try await write { $0.replacePacks(with: rows) }
    }
}
