extension Substring {
    /// The text without surrounding white space as defined by XML (Extensible Markup Language 1.0, 2.3).
    ///
    /// Compares bytes: a space followed by a combining mark is a single Character, which must not be removed.
    var trimmed: String {
        let start = utf8.drop(while: \.isXMLSpace)
        guard let last = start.lastIndex(where: { !$0.isXMLSpace }) else { return "" }
        return String(Substring(start[...last]))
    }
}

extension UInt8 {
    /// Whether the byte is white space in XML.
    var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
