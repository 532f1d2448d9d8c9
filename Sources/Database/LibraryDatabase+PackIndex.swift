import GRDB

extension LibraryDatabase {
    /// Returns the rows of the database's index of installed packs, ordered by the pack's directory.
    ///
    /// Rows with values that this version of the program can't read are left out.
    public func packs() async throws -> [IndexedPack] {
        try await perform { database in
            var packs: [IndexedPack] = []
            // A cursor reuses one row, where `fetchAll` copies each.
            let rows = try Row.fetchCursor(database, sql: IndexedPack.selection)
            while let row = try rows.next() {
                if let pack = IndexedPack(row, after: packs.last) { packs.append(pack) }
            }
            // The pages of the table, which is read once. GRDB also frees its prepared statements, which are prepared anew.
            database.releaseMemory()
            return packs
        }
    }
}
