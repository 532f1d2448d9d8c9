/// The list of the files in a product's ZIP archive, with position, sizes and hash of each, in the archive's order.
///
/// A store publishes the table as a JSON document beside the archive.
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

    /// A file of a product's ZIP archive, as an entry table lists it: its path, position, sizes and hash.
    public struct Entry: Sendable, Hashable, Codable {
        /// The path of the file in the ZIP archive, with `/` between the components.
        public var path: String
        public var method: Method
        /// The offset of the file's (compressed) contents from the start of the ZIP archive, in bytes.
        public var offset: Int
        public var compressedSize: Int
        public var size: Int
        /// The SHA-256 of the file's uncompressed contents.
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

    /// The compression methods that a file in a product's ZIP archive may have.
    public enum Method: String, Sendable, Codable {
        case stored, deflate
    }
}
