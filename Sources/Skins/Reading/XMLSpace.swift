extension UInt8 {
    /// Whether the byte is white space as XML defines it (Extensible Markup Language 1.0, 2.3).
    var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The bytes without surrounding white space as XML defines it.
    var withoutXMLSpace: Self {
        let start = drop(while: \.isXMLSpace)
        guard let last = start.lastIndex(where: { !$0.isXMLSpace }) else { return start }
        return start[...last]
    }
}

extension String {
    /// The text without surrounding white space as XML defines it.
    ///
    /// Compares bytes: a space followed by a combining mark is a single Character, which must not be removed.
    var trimmed: String {
        var text = self
        let trimmed = text.withUTF8 { bytes -> String? in
            guard let first = bytes.first, let last = bytes.last, first.isXMLSpace || last.isXMLSpace else {
                return nil
            }
            return String(decoding: bytes[...].withoutXMLSpace, as: UTF8.self)
        }
        return trimmed ?? self
    }
}
