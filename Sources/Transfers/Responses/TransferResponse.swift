public import FoundationEssentials
public import StoreModel

/// The status and headers of a server's response, without its body.
public struct TransferResponse: Sendable {
    /// The status code of HTTP.
    ///
    /// A `file` URL has 200, 206 or 404, as a server would respond.
    public let status: Int
    /// The header fields of the response.
    public let headers: TransferHeaders
    /// The URL that responded, after all redirects.
    ///
    /// It may contain a secret and must not appear in messages.
    public let effectiveURL: URL

    /// Creates a response.
    public init(status: Int, headers: TransferHeaders, effectiveURL: URL) {
        self.status = status
        self.headers = headers
        self.effectiveURL = effectiveURL
    }

    /// The entity tag, with its quotation marks, and `W/` where it is weak.
    public var etag: String? { headers["etag"] }

    /// The length of the body in bytes (`Content-Length`); `nil` where the server does not declare a valid one.
    public var contentLength: Int? {
        headers["content-length"].flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The range of the file that the body holds; `nil` where the server does not declare a valid one.
    public var contentRange: ContentRange? { headers["content-range"].flatMap(ContentRange.init) }

    /// When the file was last changed (`Last-Modified`).
    public var lastModified: Date? { headers["last-modified"].flatMap(HTTPDate.parse) }

    /// Throws `transfer.http-status` unless the status means success (200 to 299).
    public func requireSuccess() throws(StoreError) {
        if !(200..<300).contains(status) { throw StoreError.httpStatus(self) }
    }
}
