import FoundationEssentials

/// Reads the lines of headers as libcurl hands them over, of every answer on the way to the last.
struct ResponseReader {
    enum Event: Equatable {
        /// Nothing to do yet.
        case more
        /// This answer leads to another address, which libcurl asks next.
        case redirect
        /// The headers of the last answer are complete; what follows is its body.
        case complete
    }

    private let followsRedirects: Bool
    private(set) var status = 0
    private(set) var headers: TransferHeaders = [:]
    private(set) var isComplete = false
    private var size = 0

    /// More headers than any honest server sends; libcurl 7.88 itself limits only each line.
    static let sizeLimit = 256 << 10

    init(followsRedirects: Bool) { self.followsRedirects = followsRedirects }

    /// Takes one line with its line break. `nil` where there are too many.
    mutating func read(_ line: UnsafeRawBufferPointer) -> Event? {
        // What comes after the body of a chunked answer (trailers) is of no use.
        if isComplete { return .more }
        size += line.count
        if size > ResponseReader.sizeLimit { return nil }
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
        // Any of them with an address is followed by libcurl, whatever its number.
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
