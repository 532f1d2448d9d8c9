public import FoundationEssentials
import StoreModel

/// A request to read a URL by HTTP or from a local file, with the options of its transfer.
public struct TransferRequest: Sendable {
    /// The URL to request, with the scheme `http`, `https` or `file`.
    ///
    /// Its user and password are sent as basic authentication and never appear in messages.
    public var url: URL
    /// The HTTP method of the request, such as `GET`.
    ///
    /// `GET` and `HEAD` follow redirects; with any other method, a redirect is returned as the response.
    public var method: String
    /// The HTTP header fields of the request, sent unchanged and in this order.
    ///
    /// After a redirect to another host, those that carry a secret (`Authorization`, `Cookie`) are omitted.
    public var headers: TransferHeaders
    /// The body of the request; `nil` sends none.
    ///
    /// It is sent without a `Content-Type` unless ``headers`` has one.
    public var body: Data?
    /// The strong entity tag of the bytes that were downloaded before (`If-Range`); `nil` where it is not known.
    ///
    /// The download is resumed only if the file still has this tag. A weak tag is ignored, because it does not prove
    /// that bytes are equal.
    public var ifRange: String?
    /// The maximum size of the response's body, or of the complete file of a download, in bytes.
    ///
    /// `nil` is unlimited, except in ``TransferEngine/fetch(_:)``. A range that is fetched alone is limited by its own
    /// size.
    public var sizeLimit: Int?
    /// The time limits of the requested transfer's phases, and the lowest rate of its body.
    public var timeouts: TransferTimeouts
    /// The rate limit of the download that the request belongs to, beside the engine's limits; `nil` is unlimited.
    public var rate: TransferRate?
    /// The name of the class whose share of the engine's bandwidth the transfer uses (``BandwidthLimits/shares``).
    public var bandwidthClass = ""
    /// The addresses to which connections may be made; by default any.
    public var addresses = AddressPolicy.any
    /// The throttle of progress reports, shared by the transfers of one download; `nil` gives the transfer its own.
    public var progressThrottle: ProgressThrottle?

    /// Creates a request to read a URL, with the options of its transfer.
    public init(
        _ url: URL, method: String = "GET", headers: TransferHeaders = [:], body: Data? = nil,
        ifRange: String? = nil, sizeLimit: Int? = nil,
        timeouts: TransferTimeouts = .init(), rate: TransferRate? = nil, bandwidthClass: String = ""
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.ifRange = ifRange
        self.sizeLimit = sizeLimit
        self.timeouts = timeouts
        self.rate = rate
        self.bandwidthClass = bandwidthClass
    }

    /// The maximum number of HTTP redirects that are followed one after another.
    static let redirectLimit = 10

    var followsRedirects: Bool { method == "GET" || method == "HEAD" }

    /// Checks that the request is allowed and can be sent.
    ///
    /// - Throws: `transfer.bad-request`.
    func check() throws(StoreError) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https", "file"].contains(scheme) else {
            throw StoreError.badRequest(url, "only http, https and file URLs are supported")
        }
        if scheme == "file" {
            guard method == "GET", ["", "localhost"].contains(url.host() ?? "") else {
                throw StoreError.badRequest(url, "a file URL can only be read, and only on this machine")
            }
        } else if (url.host() ?? "").isEmpty {
            throw StoreError.badRequest(url, "the URL has no host")
        }
        guard TransferHeaders.isToken(method) else { throw StoreError.badRequest(url, "the method is not valid") }
        // A line break inside a value would inject a header or a second request.
        guard headers.allSatisfy({ TransferHeaders.isToken($0.name) && TransferHeaders.isValue($0.value) }),
            ifRange.map(TransferHeaders.isValue) ?? true
        else { throw StoreError.badRequest(url, "a header has characters that HTTP does not allow") }
    }

    /// The entity tag to send as `If-Range`; `nil` where ``ifRange`` is weak (RFC 9110, 13.1.5) or not set.
    var strongTag: String? { ifRange.flatMap { $0.hasPrefix("W/") ? nil : $0 } }

    var isLocalFile: Bool { url.scheme?.lowercased() == "file" }
}
