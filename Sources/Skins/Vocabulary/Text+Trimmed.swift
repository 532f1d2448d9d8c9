extension Substring {
    /// Without white space around it, as XML has it (Extensible Markup Language 1.0, 2.3): told by bytes, so that a mark
    /// that Swift counts to the space before it stays.
    var trimmed: String {
        let start = utf8.drop(while: \.isXMLSpace)
        guard let last = start.lastIndex(where: { !$0.isXMLSpace }) else { return "" }
        return String(Substring(start[...last]))
    }
}

extension UInt8 {
    var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
