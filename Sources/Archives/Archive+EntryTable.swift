public import StoreModel
import StoreSystem

extension Archive {
    /// Returns the entry table of the archive, which has two hashes of every file: of its contents, and of its bytes as
    /// they are in the archive.
    ///
    /// All files are read and inflated, in parallel, which also verifies them.
    ///
    /// - Throws: ``StoreError`` if the contents of a file don't match their header or can't be read.
    public func entryTable() throws -> EntryTable {
        let files = entries.indices.filter { !entries[$0].isDirectory }
        let table = try ParallelWork.map(
            files.count, threads: usefulThreads, begin: { (EntryReader(self), FileHasher()) },
            { readers, number in
                let entry = entries[files[number]]
                let digest = try readers.0.read(files[number]) { _ in }
                return EntryTable.Entry(
                    path: entry.path, method: entry.method, offset: entry.offset,
                    compressedSize: entry.compressedSize, size: entry.size, sha256: digest,
                    compressedSHA256: entry.method == .stored ? digest : try compressedDigest(of: entry, readers.1))
            })
        return EntryTable(entries: table)
    }

    /// Reads and inflates all files of the archive, in parallel, and compares their sizes and checksums with their headers.
    ///
    /// - Throws: ``StoreError`` if the contents of a file don't match their header or can't be read.
    public func verifyContents() throws {
        let files = entries.indices.filter { !entries[$0].isDirectory }
        _ = try ParallelWork.map(
            files.count, threads: usefulThreads, begin: { EntryReader(self) },
            { reader, number in try reader.readUnhashed(files[number]) { _ in } })
    }

    private func compressedDigest(of entry: Entry, _ fileHasher: FileHasher) throws -> SHA256Digest {
        var hasher = SHA256Hasher()
        let range = entry.offset..<entry.offset + entry.compressedSize
        guard try fileHasher.update(&hasher, with: file, in: range) == entry.compressedSize else {
            throw StoreError(.archiveEntryShrank, ["entry": .untrusted(entry.path)])
        }
        return hasher.finalize()
    }
}
