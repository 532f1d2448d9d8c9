/// The value of the header field `Content-Range` (RFC 9110, 14.4): the bytes of a file that a response holds.
public struct ContentRange: Sendable, Hashable {
    /// The positions in the file of the response's bytes, the last included.
    ///
    /// `nil` where the requested range is not satisfiable (`bytes */1234`).
    public let bytes: ClosedRange<Int>?
    /// The length of the complete file in bytes; `nil` where the server does not know it (`bytes 0-99/*`).
    public let total: Int?

    /// Parses the value of the HTTP header field `Content-Range`; `nil` where it is not valid.
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
