import StoreModel
import StoreSystem

/// Validates the bytes of an XML document in linear time, before libxml2 parses it.
///
/// It rejects documents that exceed the size limit, contain a NUL byte, are not UTF-8, or declare another encoding,
/// unless that one reads their bytes as the same text. It also rejects elements with more attributes than the limit:
/// libxml2 compares each attribute of an element with each other, which takes hours for a document of ten megabytes.
struct XMLScan {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let bytes: [UInt8]
    private let limits: XMLLimits

    init(_ bytes: [UInt8], limits: XMLLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Checks the XML document's size, encoding and numbers of attributes; libxml2 checks whether it is well-formed.
    ///
    /// - Throws: `xml.too-large`, `xml.not-utf8`.
    func check() throws(StoreError) {
        guard bytes.count <= limits.size else {
            throw StoreError(.xmlDocumentTooLarge, ["size": .bytes(bytes.count), "limit": .bytes(limits.size)])
        }
        if let zero = bytes.withUnsafeBufferPointer({ XMLScan.find(0, in: $0, from: 0) }) {
            throw StoreError(.xmlZeroByte).located(line: line(of: zero))
        }
        guard isUTF8 else { throw notUTF8() }
        try checkDeclaredEncoding()
        try checkTags()
    }

    /// Whether the document is UTF-8, which is checked without copying it.
    private var isUTF8: Bool {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return true
        } catch {
            return false
        }
    }

    private func line(of offset: Int) -> Int {
        bytes[..<offset].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }

    private func notUTF8() -> StoreError {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        return StoreError(.xmlNotUTF8).located(line: line.map { $0 + 1 })
    }

    // MARK: Encoding

    /// Checks that an encoding other than UTF-8 in the XML declaration reads the document's bytes as the same text.
    ///
    /// That is so if all bytes are ASCII and the encoding is ASCII or one of the ISO 8859 and Windows code pages.
    private func checkDeclaredEncoding() throws(StoreError) {
        guard let name = declaredEncoding(), name != "utf-8", name != "utf8" else { return }
        let isSuperset =
            ["us-ascii", "ascii"].contains(name) || name.hasPrefix("iso-8859-") || name.hasPrefix("windows-125")
        guard isSuperset, bytes.allSatisfy({ $0 < 0x80 }) else {
            throw StoreError(.xmlOtherEncoding, ["encoding": .untrusted(name)]).located(line: 1)
        }
    }

    /// Returns the encoding that the document's XML declaration names, in lower case; `nil` if it names none.
    private func declaredEncoding() -> String? {
        let start = bytes.starts(with: XMLScan.byteOrderMark) ? 3 : 0
        guard bytes[start...].starts(with: Array("<?xml".utf8)) else { return nil }
        // No reasonable declaration is longer; libxml2 still checks the syntax of the whole.
        let declaration = bytes[start...].prefix(400).prefix { $0 != UInt8(ascii: ">") }
        let text = String(decoding: declaration, as: UTF8.self).lowercased()
        guard let key = text.firstRange(of: "encoding") else { return nil }
        let value = text[key.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = value.first, quote == "'" || quote == "\"" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    // MARK: Tags

    /// Checks that no XML element has more attributes than the limit.
    ///
    /// It counts the equals signs outside quotes in each tag.
    private func checkTags() throws(StoreError) {
        try bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
            var offset = 0
            while let open = XMLScan.find(UInt8(ascii: "<"), in: bytes, from: offset) {
                let next = open + 1 < bytes.count ? bytes[open + 1] : 0
                if next == UInt8(ascii: "!") || next == UInt8(ascii: "?"),
                    let (content, terminator) = XMLScan.section(of: bytes[open...].prefix(9))
                {
                    guard let end = XMLScan.find(terminator, in: bytes, from: content) else { return }
                    offset = end
                } else if next == UInt8(ascii: "!"), bytes[open...].starts(with: "<!DOCTYPE".utf8) {
                    offset = try skipLiterals(bytes, from: open + 9)
                } else if next == UInt8(ascii: "/") {
                    // An end tag with attributes is malformed, and libxml2 does not read them.
                    offset = open + 2
                } else if let next = XMLScan.find(UInt8(ascii: "<"), in: bytes, from: open + 1),
                    next - open <= limits.attributes
                {
                    // Too short for so many attributes, as libxml2 reads none after another '<', even in quotes.
                    offset = next
                } else {
                    offset = try checkTag(bytes, from: open + 1)
                }
            }
        }
    }

    /// Checks that an XML tag has no more attributes than the limit.
    ///
    /// - Parameter start: the offset after the tag's `<`.
    /// - Returns: the offset after the tag's `>`, or the number of bytes if the tag does not end.
    private func checkTag(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(StoreError) -> Int {
        var (offset, attributes) = (start, 0)
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: ">"): return offset + 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = XMLScan.find(bytes[offset], in: bytes, from: offset + 1) else { return bytes.count }
                offset = end
            case UInt8(ascii: "="):
                attributes += 1
                guard attributes <= limits.attributes else {
                    throw StoreError(.xmlAttributesExceeded, ["limit": limits.attributes])
                        .located(line: line(of: start))
                }
            default: break
            }
            offset += 1
        }
        return offset
    }

    /// Skips the quoted literals of a document type, and checks that none contains text that looks like a tag or a comment.
    ///
    /// - Parameter start: the offset after `<!DOCTYPE`.
    /// - Returns: the offset of the first `<`, `>` or `[` outside of a literal, or the number of bytes if there is none.
    ///   In the declarations after a `[`, quotes need not be those of literals.
    private func skipLiterals(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(StoreError) -> Int {
        var offset = start
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["): return offset
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let end = XMLScan.find(bytes[offset], in: bytes, from: offset + 1) ?? bytes.count
                if let open = XMLScan.find(UInt8(ascii: "<"), in: bytes, from: offset), open < end {
                    throw StoreError(.xmlDoctype).located(line: line(of: start))
                }
                offset = end + 1
            default: offset += 1
            }
        }
        return bytes.count
    }

    /// Returns the offset of the content of the comment, CDATA section or processing instruction that `start` begins with, and
    /// the text that ends it; `nil` for any other XML tag.
    ///
    /// These three may contain text that looks like a tag, so they are skipped.
    private static func section(
        of start: Slice<UnsafeBufferPointer<UInt8>>
    ) -> (content: Int, terminator: StaticString)? {
        if start.starts(with: "<!--".utf8) { return (start.startIndex + 4, "-->") }
        if start.starts(with: "<![CDATA[".utf8) { return (start.startIndex + 9, "]]>") }
        if start.starts(with: "<?".utf8) { return (start.startIndex + 2, "?>") }
        return nil
    }

    private static func find(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int? {
        UnsafeRawBufferPointer(bytes).offset(of: byte, from: offset)
    }

    /// Returns the offset after the first occurrence of `text` in `bytes` at or after `start`; `nil` if there is none.
    private static func find(
        _ text: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int? {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        var offset = start
        while let found = find(wanted[0], in: bytes, from: offset), found + wanted.count <= bytes.count {
            if UnsafeRawBufferPointer(bytes).hasBytes(UnsafeRawBufferPointer(wanted), at: found) {
                return found + wanted.count
            }
            offset = found + 1
        }
        return nil
    }
}
