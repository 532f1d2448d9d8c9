public import StoreModel

/// The size and hash that a downloaded file must have, as far as they are known beforehand.
public struct ExpectedContent: Sendable, Hashable {
    /// The size in bytes that the downloaded file must have; `nil` accepts any.
    public var size: Int?
    /// The SHA-256 that the complete downloaded file must have; `nil` accepts any.
    public var sha256: SHA256Digest?

    /// Creates the expected size and hash of a file to download; without arguments, any content is accepted.
    public init(size: Int? = nil, sha256: SHA256Digest? = nil) {
        self.size = size
        self.sha256 = sha256
    }
}
