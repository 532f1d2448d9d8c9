import FoundationEssentials

/// A parser for the HTTP header lines that libcurl delivers.
///
/// They are those of redirects and interim responses as well as of the last response.
struct ResponseHeaderParser {
    enum Event: Equatable {
        /// The headers are not complete, or belong to an interim response or the trailers, which are ignored.
        case more
        /// The headers of a redirect are complete, and libcurl will request the other URL.
        case redirect
        /// The headers of the last response, after redirects, are complete; its body follows.
        case complete
    }

    private let followsRedirects: Bool
    private(set) var status = 0
    private(set) var headers: TransferHeaders = [:]
    private(set) var isComplete = false
    private var size = 0

    /// The maximum size in bytes of all headers together, those of redirects included.
    ///
    /// libcurl 7.88 itself limits only each line.
    static let sizeLimit = 256 << 10

    init(followsRedirects: Bool) { self.followsRedirects = followsRedirects }

    /// Parses one HTTP header line with its line break; returns `nil` where the headers exceed ``sizeLimit``.
    mutating func read(_ line: UnsafeRawBufferPointer) -> Event? {
        // Trailers after the body of a chunked response are ignored.
        if isComplete { return .more }
        size += line.count
        if size > ResponseHeaderParser.sizeLimit { return nil }
        let text = String(decoding: line, as: UTF8.self).filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" }
        if text.isEmpty { return end() }
        if text.hasPrefix("HTTP/") {
            headers = [:]
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = text.firstIndex(of: ":") {
            headers.add(String(text[..<colon]), text[text.index(after: colon)...].trimmed)
        }
        return .more
    }

    private mutating func end() -> Event {
        if (100..<200).contains(status) { return .more }
        // libcurl follows every 3xx status with a location.
        if followsRedirects, (300..<400).contains(status), !(headers["location"] ?? "").isEmpty { return .redirect }
        isComplete = true
        return .complete
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
