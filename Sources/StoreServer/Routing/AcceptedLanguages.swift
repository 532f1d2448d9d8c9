/// The languages of an `Accept-Language` header (RFC 9110, 12.5.4).
enum AcceptedLanguages {
    /// The tags from the most to the least wanted; those of quality 0 and `*` are left out. What can't be read is
    /// left out too: a wrong language is no reason to refuse an answer.
    static func read(_ header: String) -> [String] {
        var wanted: [(tag: String, quality: Double)] = []
        for element in header.split(separator: ",").prefix(50) {
            let parts = element.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let tag = parts.first, !tag.isEmpty, tag != "*" else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if quality > 0 { wanted.append((tag, quality)) }
        }
        // Sorted by quality and then by place, because Swift's sort promises nothing for equals.
        return wanted.enumerated()
            .sorted { ($0.element.quality, -$0.offset) > ($1.element.quality, -$1.offset) }
            .map(\.element.tag)
    }
}
