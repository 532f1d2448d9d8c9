public import StoreModel
import StoreSystem

extension Archive {
    /// Computes the archive's entry table: a list of its files with offset, sizes and the SHA-256 of the contents.
    ///
    /// All files are read and inflated, in parallel, which also verifies them.
    ///
    /// - Throws: ``StoreError`` if the contents of a file don't match their header or can't be read.
    public func entryTable() throws -> EntryTable {
        let files = entries.indices.filter { !entries[$0].isDirectory }
        let table = try ParallelWork.map(
            files.count, threads: usefulThreads, begin: { EntryReader(self) },
            { reader, number in
                let entry = entries[files[number]]
                let digest = try reader.read(files[number]) { _ in }
                return EntryTable.Entry(
                    path: entry.path, method: entry.method, offset: entry.offset,
                    compressedSize: entry.compressedSize, size: entry.size, sha256: digest)
            })
        return EntryTable(entries: table)
    }
}
