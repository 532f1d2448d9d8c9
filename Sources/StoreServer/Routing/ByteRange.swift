/// The range of a file that the HTTP header `Range` requests (RFC 9110, 14.2).
///
/// A single range of bytes is supported. Everything else, several ranges included, selects the whole file, as the RFC
/// allows.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    /// The requested range of the file begins at or after the file's end.
    case unsatisfiable

    /// Parses the value of an HTTP header `Range`.
    ///
    /// - Parameters:
    ///   - header: the value of the header.
    ///   - size: the size of the file in bytes.
    init(_ header: String, size: Int) {
        self = .whole
        guard header.hasPrefix("bytes=") else { return }
        let ends = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        switch (ByteRange.number(ends[0]), ByteRange.number(ends[1])) {
        case (let first?, let last?) where first <= last:
            self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (nil, let count?) where ends[0].isEmpty:
            // A suffix range: the last `count` bytes of the file.
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        default: return
        }
    }

    /// Returns the value of a text of decimal digits, or `nil` for any other text.
    ///
    /// `Int` alone would accept a sign.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
