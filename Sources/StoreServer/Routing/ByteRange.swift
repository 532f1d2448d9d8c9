/// What a `Range` header asks of a file (RFC 9110, 14.2). One range of bytes is understood; of anything else, also of several
/// ranges, the whole file is the right answer.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    /// It lies behind the end.
    case unsatisfiable

    /// - Parameters:
    ///   - header: the field's value.
    ///   - size: of the file, in bytes.
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
            // The last bytes of the file.
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        default: return
        }
    }

    /// Digits only: `Int` would take a sign.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
