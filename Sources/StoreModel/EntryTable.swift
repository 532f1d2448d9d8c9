/// Every file of a product's archive, in the archive's order: enough to fetch one of them by a range request and to
/// verify it, or to tell which files differ between two versions.
public struct EntryTable: Sendable, Hashable, Codable {
    public var format: Int
    public var entries: [Entry]

    public init(entries: [Entry]) {
        format = 1
        self.entries = entries
    }

    public struct Entry: Sendable, Hashable, Codable {
        /// As it stands in the archive, with `/` between the parts.
        public var path: String
        public var method: Method
        /// Where the file's (compressed) bytes begin, counted from the start of the archive.
        public var offset: Int
        public var compressedSize: Int
        public var size: Int
        /// Of the plain bytes.
        public var sha256: SHA256Digest

        public init(
            path: String, method: Method, offset: Int, compressedSize: Int, size: Int, sha256: SHA256Digest
        ) {
            self.path = path
            self.method = method
            self.offset = offset
            self.compressedSize = compressedSize
            self.size = size
            self.sha256 = sha256
        }
    }

    /// The ways of compression that are taken.
    public enum Method: String, Sendable, Codable {
        case stored, deflate
    }
}
