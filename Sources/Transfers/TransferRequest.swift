public import FoundationEssentials

/// What is asked of a server.
public struct TransferRequest: Sendable {
    /// `http`, `https` or `file`. User and password in it are sent as basic authentication and never shown.
    public var url: URL
    /// `GET` and `HEAD` follow redirects; of any other, a redirect is returned as the answer that it is.
    public var method: String
    /// Sent as they are, in this order. Those that carry a secret (`Authorization`, `Cookie`) are not sent on to
    /// another host by a redirect.
    public var headers: TransferHeaders
    /// Sent with the request; without a `Content-Type` unless ``headers`` has one.
    public var body: Data?
    /// The socket to connect to instead of the URL's host. No proxy is used then, and no redirect followed.
    public var unixSocketPath: String?
    /// The strong entity tag under which the bytes that are already there were sent (`If-Range`): they are
    /// only gone on from if the file still has it. A weak one proves nothing about bytes and counts as none.
    public var ifRange: String?
    /// How many bytes of body are taken at most; `nil` for no limit, save that of ``TransferEngine/fetch(_:)``.
    public var sizeLimit: Int?
    public var timeouts: TransferTimeouts
    /// How many bytes of the body may come in a second, beside the limits of the engine; `nil` is without limit.
    public var rate: TransferRate?
    /// With whom it shares what the engine's limits give (``BandwidthLimits/shares``).
    public var bandwidthClass = ""
    /// The limit of progress reports, shared by the transfers of one download; `nil` gives the transfer its own.
    public var progressThrottle: ProgressThrottle?

    public init(
        _ url: URL, method: String = "GET", headers: TransferHeaders = [:], body: Data? = nil,
        unixSocketPath: String? = nil, ifRange: String? = nil, sizeLimit: Int? = nil,
        timeouts: TransferTimeouts = .init(), rate: TransferRate? = nil, bandwidthClass: String = ""
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.unixSocketPath = unixSocketPath
        self.ifRange = ifRange
        self.sizeLimit = sizeLimit
        self.timeouts = timeouts
        self.rate = rate
        self.bandwidthClass = bandwidthClass
    }

    /// How many redirects are followed.
    static let redirectLimit = 10

    var followsRedirects: Bool { unixSocketPath == nil && (method == "GET" || method == "HEAD") }

    /// Throws `transfer.bad-request` for what must not be sent, or can't.
    func check() throws(TransferError) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https", "file"].contains(scheme) else {
            throw .badRequest(url, "only http, https and file addresses can be used")
        }
        if scheme == "file" {
            guard method == "GET", unixSocketPath == nil, ["", "localhost"].contains(url.host() ?? "") else {
                throw .badRequest(url, "a file address can only be read, and only on this machine")
            }
        } else if (url.host() ?? "").isEmpty {
            throw .badRequest(url, "the address names no host")
        }
        guard TransferHeaders.isToken(method) else { throw .badRequest(url, "the method is not a word of HTTP") }
        // A line break inside a value would smuggle in a header, or a second request.
        guard headers.allSatisfy({ TransferHeaders.isToken($0.name) && TransferHeaders.isValue($0.value) }),
            ifRange.map(TransferHeaders.isValue) ?? true
        else { throw .badRequest(url, "a header has characters that HTTP does not allow") }
    }

    /// A weak tag must not be sent in If-Range (RFC 9110, 13.1.5).
    var strongTag: String? { ifRange.flatMap { $0.hasPrefix("W/") ? nil : $0 } }

    var isLocalFile: Bool { url.scheme?.lowercased() == "file" }
}

/// How long a transfer waits for what. `nil` is for ever.
public struct TransferTimeouts: Sendable, Hashable {
    /// For name, connection and TLS together, for each host on the way.
    public var connect: Duration?
    /// From the request sent to the end of the answer's headers, for each host on the way.
    public var answer: Duration?
    /// The slowest that a body may come.
    public var stall: StallLimit?
    /// For the whole transfer, waiting for a connection included.
    public var whole: Duration?

    public init(
        connect: Duration? = .seconds(15), answer: Duration? = .seconds(30), stall: StallLimit? = .init(),
        whole: Duration? = nil
    ) {
        self.connect = connect
        self.answer = answer
        self.stall = stall
        self.whole = whole
    }

    /// Waits for ever, for everything but the connection: for streams in which silence means that all is well.
    public static let patient = TransferTimeouts(answer: nil, stall: nil)
}

/// A transfer stalls when fewer than `bytes` come in `window`.
public struct StallLimit: Sendable, Hashable {
    public var bytes: Int
    public var window: Duration

    public init(bytes: Int = 1, in window: Duration = .seconds(30)) {
        self.bytes = bytes
        self.window = window
    }
}
