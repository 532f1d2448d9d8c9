import StoreSystem

/// Looks through a document for what must not reach libxml2: bytes that are no text, another encoding, and elements with
/// so many attributes that comparing each with each would take minutes. Takes time by the document's length only.
struct XMLScan {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let bytes: [UInt8]
    private let limits: XMLLimits

    init(_ bytes: [UInt8], limits: XMLLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    func check() throws(XMLError) {
        guard bytes.count <= limits.size else {
            throw XMLError(.xmlTooLarge, "it has \(bytes.count) bytes, more than the \(limits.size) that are read")
        }
        if let zero = bytes.withUnsafeBufferPointer({ XMLScan.find(0, in: $0, from: 0) }) {
            throw XMLError(.xmlNotUTF8, "it has a byte 0, which no text has", line: line(of: zero))
        }
        if String(validating: bytes, as: UTF8.self) == nil { throw notUTF8() }
        try checkDeclaredEncoding()
        try checkTags()
    }

    private func line(of place: Int) -> Int {
        bytes[..<place].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }

    private func notUTF8() -> XMLError {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        return XMLError(.xmlNotUTF8, "it is not UTF-8. Save it as UTF-8", line: line.map { $0 + 1 })
    }

    // MARK: Encoding

    /// A document that says it is of another encoding is taken if it has no byte that the other would read otherwise.
    private func checkDeclaredEncoding() throws(XMLError) {
        guard let name = declaredEncoding(), name != "utf-8", name != "utf8" else { return }
        let isSuperset =
            ["us-ascii", "ascii"].contains(name) || name.hasPrefix("iso-8859-") || name.hasPrefix("windows-125")
        guard isSuperset, bytes.allSatisfy({ $0 < 0x80 }) else {
            throw XMLError(.xmlNotUTF8, "it says that its encoding is '\(name)'. Save it as UTF-8", line: 1)
        }
    }

    /// In lower case; `nil` where the declaration names none.
    private func declaredEncoding() -> String? {
        let start = bytes.starts(with: XMLScan.byteOrderMark) ? 3 : 0
        guard bytes[start...].starts(with: Array("<?xml".utf8)) else { return nil }
        // Longer ones exist only to be odd; libxml2 still checks the form of the whole.
        let declaration = bytes[start...].prefix(400).prefix { $0 != UInt8(ascii: ">") }
        let text = String(decoding: declaration, as: UTF8.self).lowercased()
        guard let key = text.firstRange(of: "encoding") else { return nil }
        let value = text[key.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = value.first, quote == "'" || quote == "\"" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    // MARK: Tags

    /// Each attribute takes an equals sign outside quotes.
    private func checkTags() throws(XMLError) {
        try bytes.withUnsafeBufferPointer { bytes throws(XMLError) in
            var place = 0
            while let open = XMLScan.find(UInt8(ascii: "<"), in: bytes, from: place) {
                if let closing = XMLScan.closing(of: bytes[open...].prefix(9)) {
                    guard let end = XMLScan.find(closing, in: bytes, from: open + 2) else { return }
                    place = end
                } else {
                    place = try checkTag(bytes, from: open + 1)
                }
            }
        }
    }

    /// - Returns: the place after the tag.
    private func checkTag(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(XMLError) -> Int {
        var (place, attributes) = (start, 0)
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: ">"): return place + 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = XMLScan.find(bytes[place], in: bytes, from: place + 1) else { return bytes.count }
                place = end
            case UInt8(ascii: "="):
                attributes += 1
                guard attributes <= limits.attributes else {
                    throw XMLError(
                        .xmlTooLarge, "an element has more than \(limits.attributes) attributes",
                        line: line(of: start))
                }
            default: break
            }
            place += 1
        }
        return place
    }

    /// What ends that which is no tag and may hold what looks like one.
    private static func closing(of start: Slice<UnsafeBufferPointer<UInt8>>) -> StaticString? {
        if start.starts(with: "<!--".utf8) { return "-->" }
        if start.starts(with: "<![CDATA[".utf8) { return "]]>" }
        if start.starts(with: "<?".utf8) { return "?>" }
        return nil
    }

    private static func find(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from place: Int) -> Int? {
        UnsafeRawBufferPointer(bytes).offset(of: byte, from: place)
    }

    /// - Returns: the place after the text.
    private static func find(
        _ text: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int? {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        var place = start
        while let found = find(wanted[0], in: bytes, from: place), found + wanted.count <= bytes.count {
            if UnsafeRawBufferPointer(bytes).hasBytes(UnsafeRawBufferPointer(wanted), at: found) {
                return found + wanted.count
            }
            place = found + 1
        }
        return nil
    }
}
