public import StoreModel

/// The size and hash that a downloaded file must have, as far as they are known beforehand.
public struct ExpectedContent: Sendable, Hashable {
    /// The size in bytes.
    public var size: Int?
    /// The hash of the complete file.
    public var sha256: SHA256Digest?

    /// Creates the expectation; without arguments, any content is accepted.
    public init(size: Int? = nil, sha256: SHA256Digest? = nil) {
        self.size = size
        self.sha256 = sha256
    }
}
