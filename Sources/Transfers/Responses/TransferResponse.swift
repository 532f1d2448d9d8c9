public import FoundationEssentials
public import StoreModel

/// The status and headers of a server's response, without its body.
public struct TransferResponse: Sendable {
    /// The HTTP status code of the response.
    ///
    /// A `file` URL has 200, 206, 404 or 416, as a server would respond.
    public let status: Int
    /// The HTTP header fields of the response.
    public let headers: TransferHeaders
    /// The URL that sent the response, after all redirects.
    ///
    /// It may contain a secret and must not appear in messages.
    public let effectiveURL: URL
    /// Whether the requested URL, before all redirects, is at an address that is not public.
    ///
    /// `false` where that is not known, as through a proxy, and for requests with another policy than
    /// ``AddressPolicy/publicIfFirstIs``.
    public let isFromLocalHost: Bool

    /// Creates a response from its status, header fields and URL.
    public init(status: Int, headers: TransferHeaders, effectiveURL: URL, isFromLocalHost: Bool = false) {
        self.status = status
        self.headers = headers
        self.effectiveURL = effectiveURL
        self.isFromLocalHost = isFromLocalHost
    }

    /// The response's entity tag, with quotation marks, and `W/` where it is weak; `nil` where the response has none.
    public var etag: String? { headers["etag"] }

    /// The length of the response's body in bytes (`Content-Length`); `nil` where it does not declare a valid one.
    public var contentLength: Int? {
        headers["content-length"].flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The range of the file that the response's body holds (`Content-Range`).
    ///
    /// `nil` where the server does not declare a valid one.
    public var contentRange: ContentRange? { headers["content-range"].flatMap(ContentRange.init) }

    /// When the requested file was last changed (`Last-Modified`); `nil` where the server declares no valid date.
    public var lastModified: Date? { headers["last-modified"].flatMap(HTTPDate.parse) }

    /// Checks that the response's HTTP status means success (200 to 299).
    ///
    /// - Throws: `transfer.http-status` for any other status.
    public func requireSuccess() throws(StoreError) {
        if !(200..<300).contains(status) { throw StoreError.httpStatus(self) }
    }
}
