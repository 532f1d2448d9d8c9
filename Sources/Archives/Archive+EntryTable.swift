public import StoreModel
import StoreSystem

extension Archive {
    /// The table of the archive's files. It inflates every one of them, and so also shows whether they are whole.
    ///
    /// - Throws: `ArchiveError` if a file's bytes are not what its headers promise, `FileError` if it can't be read.
    public func entryTable() throws -> EntryTable {
        let files = entries.indices.filter { !entries[$0].isFolder }
        let table = try ParallelWork.map(
            files.count, threads: usefulThreads, begin: { EntryContents(self) },
            { contents, number in
                let entry = entries[files[number]]
                let digest = try contents.read(files[number]) { _ in }
                return EntryTable.Entry(
                    path: entry.path, method: entry.method, offset: entry.offset,
                    compressedSize: entry.compressedSize, size: entry.size, sha256: digest)
            })
        return EntryTable(entries: table)
    }
}
