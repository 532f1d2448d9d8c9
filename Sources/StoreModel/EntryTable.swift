/// The files of a product's archive with their positions and hashes, in the archive's order.
///
/// With the table a client downloads single files by range requests, verifies them, and finds the files that differ
/// between two versions.
public struct EntryTable: Sendable, Hashable, Codable {
    public var format: Int
    public var entries: [Entry]

    public init(entries: [Entry]) {
        format = 1
        self.entries = entries
    }

    /// A file of the archive: its path, position, sizes and hash.
    public struct Entry: Sendable, Hashable, Codable {
        /// The path in the archive, with `/` between the components.
        public var path: String
        public var method: Method
        /// The offset of the (compressed) contents from the start of the archive, in bytes.
        public var offset: Int
        public var compressedSize: Int
        public var size: Int
        /// The hash of the entry's uncompressed contents.
        public var sha256: SHA256Digest
        /// The hash of the entry's bytes as they are in the archive, by which a client verifies them before it inflates
        /// them.
        ///
        /// `nil` in tables of older publishers; such an entry can't be fetched alone.
        public var compressedSHA256: SHA256Digest?

        /// Creates an entry from its position, sizes and hashes.
        public init(
            path: String, method: Method, offset: Int, compressedSize: Int, size: Int, sha256: SHA256Digest,
            compressedSHA256: SHA256Digest? = nil
        ) {
            self.path = path
            self.method = method
            self.offset = offset
            self.compressedSize = compressedSize
            self.size = size
            self.sha256 = sha256
            self.compressedSHA256 = compressedSHA256
        }
    }

    /// The compression methods that entries may have.
    public enum Method: String, Sendable, Codable {
        case stored, deflate
    }
}
