public import FoundationEssentials

/// The answer of a server, without its body.
public struct TransferResponse: Sendable {
    /// The status of HTTP. A file read from this machine has 200, 206 or 404, as a server would say.
    public let status: Int
    public let headers: TransferHeaders
    /// Where the answer came from, after all redirects. It may hold a secret; not for messages.
    public let effectiveURL: URL

    public init(status: Int, headers: TransferHeaders, effectiveURL: URL) {
        self.status = status
        self.headers = headers
        self.effectiveURL = effectiveURL
    }

    /// The entity tag, with its quotation marks, and `W/` where it is weak.
    public var etag: String? { headers["etag"] }

    /// The length that the server declares for the body of this answer.
    public var contentLength: Int? {
        headers["content-length"].flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil }
    }

    public var contentRange: ContentRange? { headers["content-range"].flatMap(ContentRange.init) }

    public var lastModified: Date? { headers["last-modified"].flatMap(HTTPDate.parse) }

    /// How long the server asks to be left alone.
    public var retryAfter: Duration? { retryAfter(now: Date()) }

    func retryAfter(now: Date) -> Duration? {
        guard let value = headers["retry-after"] else { return nil }
        if let seconds = Int(value) { return seconds >= 0 ? .seconds(min(seconds, 1 << 31)) : nil }
        return HTTPDate.parse(value).map { .seconds(max(0, $0.timeIntervalSince(now))) }
    }

    /// Throws `transfer.http-status` unless the server did what was asked (200 to 299).
    public func requireSuccess() throws(TransferError) {
        if !(200..<300).contains(status) { throw .httpStatus(self) }
    }
}

/// `Content-Range`: which bytes of how many (RFC 9110, 14.4).
public struct ContentRange: Sendable, Hashable {
    /// `nil` where the server says that the range asked for can't be had (`bytes */1234`).
    public let bytes: ClosedRange<Int>?
    /// `nil` where the server does not know the length of the whole (`bytes 0-99/*`).
    public let total: Int?

    public init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let number = ContentRange.number(parts[1]) else { return nil }
            total = number
        }
        if parts[0] == "*" {
            bytes = nil
            if total == nil { return nil }
        } else {
            let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let first = ContentRange.number(ends[0]), let last = ContentRange.number(ends[1]),
                first <= last, last < total ?? Int.max
            else { return nil }
            bytes = first...last
        }
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }
}
