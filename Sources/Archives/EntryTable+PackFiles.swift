public import StoreModel

extension EntryTable {
    /// Returns the files of the pack that unpacking the whole archive would write, sorted by the bytes of their paths: for
    /// each, its path in the pack and its entry.
    ///
    /// A table comes from a store, and is checked by the rules for archives, as far as they concern names, sizes and
    /// positions. The result is `nil` if no archive with these entries would be accepted, and if the table does not determine
    /// which files a pack gets: an entry is hidden or litter, or all are in one top-level directory, which the pack lacks
    /// unless the archive has an empty directory beside it.
    ///
    /// - Parameter archiveSize: the size of the archive in bytes.
    public func packFiles(limits: ArchiveLimits, archiveSize: Int) -> [SelectedEntry]? {
        guard entries.count <= limits.entries, hasPossibleLayout(archiveSize: archiveSize),
            let total = entries.lazy.map(\.size).checkedSum, total <= limits.unpackedSize,
            total <= limits.ratioFloor || total / limits.ratio <= archiveSize
        else { return nil }
        var names = NameTree()
        var topmost: Set<Substring> = []
        var hasFileAtTop = false
        for entry in entries {
            guard let name = try? EntryName(Array(entry.path.utf8)[...], limits: limits), !name.isDirectory,
                PackExclusion.topmost(in: name.path, isDirectory: false) == nil,
                (try? names.insert(name)) != nil
            else { return nil }
            let first = Substring(name.path.utf8.prefix { $0 != UInt8(ascii: "/") })
            guard (try? Archive.requireNoReceipt(first)) != nil else { return nil }
            topmost.insert(first)
            hasFileAtTop = hasFileAtTop || first.utf8.count == name.path.utf8.count
        }
        guard hasFileAtTop || topmost.count > 1 else { return nil }
        return entries.map { SelectedEntry(path: $0.path, entry: $0) }
            .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Returns whether all entries lie in the archive, and share none of its bytes.
    private func hasPossibleLayout(archiveSize: Int) -> Bool {
        var end = 0
        for entry in entries.sorted(by: { $0.offset < $1.offset }) {
            // The deflate stream of an empty file takes two bytes.
            guard entry.lies(within: archiveSize), entry.offset >= end, entry.size > 0 || entry.compressedSize <= 2
            else { return false }
            end = entry.offset + entry.compressedSize
        }
        return true
    }
}
