/// The name of the root element of a file that may be XML, found without parsing the document.
///
/// It is used to choose a reader; the document is not validated.
public struct XMLHead: Sendable, Hashable {
    /// The local name of the XML root element; `nil` if the bytes don't begin with one.
    public let root: String?
    /// Whether the document begins with an XML declaration (`<?xml …`).
    public let hasDeclaration: Bool

    /// Examines the first bytes of a file for an XML declaration and a root element.
    public init(_ head: ArraySlice<UInt8>) {
        var rest = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head
        hasDeclaration = rest.starts(with: "<?xml".utf8)
        root = XMLHead.root(&rest)
    }

    private static func root(_ rest: inout ArraySlice<UInt8>) -> String? {
        while true {
            rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
            if rest.starts(with: "<?".utf8) {
                skip(to: "?>", &rest)
            } else if rest.starts(with: "<!--".utf8) {
                skip(to: "-->", &rest)
            } else if rest.starts(with: "<!DOCTYPE".utf8) {
                // A document type with declarations ends after its bracket.
                let start = rest.prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "[") }
                rest = rest[start.endIndex...]
                if rest.first == UInt8(ascii: "[") { skip(to: "]", &rest) }
                skip(to: ">", &rest)
            } else {
                break
            }
        }
        guard rest.first == UInt8(ascii: "<") else { return nil }
        let isEnd: (UInt8) -> Bool = { $0 <= 0x20 || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") }
        let name = rest.dropFirst().prefix(100).prefix { !isEnd($0) }
        guard let first = name.first, first >= 0x80 || isLetter(first) else { return nil }
        return String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? name, as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private static func skip(to end: StaticString, _ rest: inout ArraySlice<UInt8>) {
        let end = UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
        while !rest.isEmpty, !rest.starts(with: end) { rest.removeFirst() }
        rest = rest.dropFirst(end.count)
    }
}
