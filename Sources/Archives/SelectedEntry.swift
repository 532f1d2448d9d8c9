public import StoreModel

/// A ZIP entry to unpack from an archive file in which only some ranges are present, and its target path.
public struct SelectedEntry: Sendable, Hashable, Codable {
    /// The path to unpack the entry to, relative to the product's directory, with `/` between the components.
    public var path: String
    /// The ZIP entry as the archive's entry table describes it: offset, sizes and hash, published by the store.
    public var entry: EntryTable.Entry

    /// Creates a selection of a ZIP entry to unpack to a path.
    public init(path: String, entry: EntryTable.Entry) {
        self.path = path
        self.entry = entry
    }

    /// The range of bytes in the archive file that the entry's (compressed) contents take.
    public var range: Range<Int> { entry.offset..<entry.offset + entry.compressedSize }
}
