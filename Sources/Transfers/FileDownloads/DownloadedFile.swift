public import FoundationEssentials
public import StoreModel

/// The result of a download: a complete file, and where it came from.
public struct DownloadedFile: Sendable {
    /// The size in bytes.
    public let size: Int
    /// The hash of the complete file.
    public let sha256: SHA256Digest
    /// The number of bytes that were there before; 0 where the download began, or had to start over, at the first byte.
    public let resumedFrom: Int
    /// The URL that delivered the file; `nil` where all bytes were there already.
    public let source: URL?
    /// The response that delivered the end of the file; `nil` where all bytes were there already.
    public let response: TransferResponse?

    /// The entity tag of the response.
    public var etag: String? { response?.etag }
    /// When the file was last changed, as the server declares it.
    public var lastModified: Date? { response?.lastModified }
}
