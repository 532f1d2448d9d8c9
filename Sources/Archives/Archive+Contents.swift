import StoreModel

extension Archive {
    /// Returns the uncompressed contents of a file of the ZIP archive, or `nil` if the archive has no such file.
    ///
    /// - Parameters:
    ///   - packPath: a path as in ``Entry/packPath``.
    ///   - limit: the largest size in bytes; a larger file fails with `archive.too-large`.
    /// - Throws: ``StoreError`` if the contents don't match their header or can't be read.
    public func contents(of packPath: String, limit: Int) throws -> [UInt8]? {
        guard let index = entries.firstIndex(where: { !$0.isDirectory && $0.packPath == packPath }) else { return nil }
        let size = entries[index].size
        guard size <= limit else {
            let error = StoreError(
                .archiveEntryTooLarge, ["entry": .untrusted(packPath), "size": .bytes(size), "limit": .bytes(limit)])
            throw StoreError(.archiveRejected, ["archive": .path(file.path)], cause: error)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        _ = try EntryReader(self).read(index) { bytes += $0 }
        return bytes
    }
}
