/// A namespace for parsing the HTTP header `Accept-Language` (RFC 9110, 12.5.4).
enum AcceptedLanguages {
    /// Returns the language tags in an `Accept-Language` header, most preferred first.
    ///
    /// Tags of quality 0, `*` and malformed elements are left out: a malformed preference is no reason to refuse a request.
    static func parse(_ header: String) -> [String] {
        var accepted: [(tag: String, quality: Double)] = []
        for element in header.split(separator: ",").prefix(50) {
            let parts = element.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let tag = parts.first, !tag.isEmpty, tag != "*" else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if quality > 0 { accepted.append((tag, quality)) }
        }
        // Sorted by quality and then by position, because Swift's sort is not documented to be stable.
        return accepted.enumerated()
            .sorted { ($0.element.quality, -$0.offset) > ($1.element.quality, -$1.offset) }
            .map(\.element.tag)
    }
}
