public import StoreModel

extension Archive {
    /// The table of the archive's files. It inflates every one of them, and so also shows whether they are whole.
    ///
    /// - Throws: `ArchiveError` if a file's bytes are not what its headers promise, `FileError` if it can't be read.
    public func entryTable() throws -> EntryTable {
        let contents = try EntryContents(self)
        var table: [EntryTable.Entry] = []
        for (index, entry) in entries.enumerated() where !entry.isFolder {
            let digest = try contents.read(index) { _ in }
            table.append(
                EntryTable.Entry(
                    path: entry.path, method: entry.method, offset: entry.offset,
                    compressedSize: entry.compressedSize, size: entry.size, sha256: digest))
        }
        return EntryTable(entries: table)
    }
}
