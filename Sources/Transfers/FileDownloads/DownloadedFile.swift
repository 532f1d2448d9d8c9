public import FoundationEssentials
public import StoreModel

/// The result of a file's download: size and hash of the complete file, and where it came from.
public struct DownloadedFile: Sendable {
    /// The size of the downloaded file in bytes.
    public let size: Int
    /// The SHA-256 of the complete downloaded file.
    public let sha256: SHA256Digest
    /// The number of bytes that an earlier attempt had left and that this download used.
    ///
    /// 0 where the download began at the first byte.
    public let resumedFrom: Int
    /// The requested URL that delivered the file, before redirects; `nil` where all bytes were there already.
    public let source: URL?
    /// The response to the download's last request; `nil` where all bytes were there already.
    public let response: TransferResponse?

    /// The entity tag in the response to the download's last request; `nil` where there is none.
    public var etag: String? { response?.etag }
    /// When the downloaded file was last changed, as the server declares it in ``response``; `nil` where it does not.
    public var lastModified: Date? { response?.lastModified }
}
