extension Archive {
    /// The plain bytes of one file, by its path in the pack; `nil` where there is none of that path.
    ///
    /// - Parameter limit: in bytes; a larger file is refused as `archive.too-large`.
    /// - Throws: `ArchiveError` if the bytes are not what the headers promise, `FileError` if they can't be read.
    public func contents(of packPath: String, limit: Int) throws -> [UInt8]? {
        guard let index = entries.firstIndex(where: { !$0.isFolder && $0.packPath == packPath }) else { return nil }
        guard entries[index].size <= limit else {
            throw ArchiveError(
                .tooLarge, "'\(packPath)' in '\(file.path)' has \(entries[index].size) bytes, more than \(limit).")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries[index].size)
        _ = try EntryContents(self).read(index) { bytes += $0 }
        return bytes
    }
}
