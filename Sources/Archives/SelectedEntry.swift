public import StoreModel

/// An entry to unpack from an archive file in which only some ranges are present, and the path to unpack it to.
public struct SelectedEntry: Sendable, Hashable, Codable {
    /// The target path relative to the pack's directory, with `/` between the components.
    public var path: String
    /// The entry as the archive's entry table describes it.
    public var entry: EntryTable.Entry

    /// Creates a selection of an entry to unpack to a path.
    public init(path: String, entry: EntryTable.Entry) {
        self.path = path
        self.entry = entry
    }

    /// The range of the entry's (compressed) contents in the archive, in bytes.
    public var range: Range<Int> { entry.offset..<entry.offset + entry.compressedSize }
}
