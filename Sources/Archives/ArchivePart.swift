public import StoreModel

/// One file of an archive of which the rest need not be here: what the entry table says of it, and where it goes.
public struct ArchivePart: Sendable, Hashable, Codable {
    /// Relative to the pack's folder, with `/` between the parts.
    public var path: String
    public var entry: EntryTable.Entry

    public init(path: String, entry: EntryTable.Entry) {
        self.path = path
        self.entry = entry
    }

    /// Where its (compressed) bytes lie in the archive.
    public var range: Range<Int> { entry.offset..<entry.offset + entry.compressedSize }
}
