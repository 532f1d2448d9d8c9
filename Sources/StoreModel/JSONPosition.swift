public import FoundationEssentials

/// A position in a JSON document as text editors show it: line and column, both counted from 1.
///
/// The column counts Unicode scalars; a byte order mark is not counted.
public struct JSONPosition: Sendable, Hashable {
    /// The line of the position in the JSON document, counted from 1.
    public let line: Int
    /// The column of the position in its line of the JSON document, counted from 1.
    public let column: Int

    /// Converts the offset of a byte in a JSON document to line and column.
    public init(ofByte offset: Int, in document: Data) {
        let before = document.prefix(offset)
        let lineBreak = UInt8(ascii: "\n")
        line = 1 + before.count { $0 == lineBreak }
        let lineStart = before.lastIndex(of: lineBreak).map { before.index(after: $0) } ?? before.startIndex
        let text = String(decoding: before[lineStart...], as: UTF8.self)
        column = 1 + text.unicodeScalars.count { $0 != "\u{FEFF}" }
    }
}

extension JSON {
    /// Returns the position of the first syntax error in a JSON document; `nil` if it has none.
    public static func positionOfSyntaxError(in document: Data) -> JSONPosition? {
        var reader = JSONReader(Array(document))
        do {
            try reader.validate()
            try reader.end()
            return nil
        } catch {
            return JSONPosition(ofByte: error.offset, in: document)
        }
    }

    /// Returns the position of the value at a path in a JSON document; `nil` if there is no such value.
    ///
    /// - Parameter path: the names of members and the indices of array elements that lead to the value, as a
    ///   `DecodingError` has them.
    public static func position(of path: [any CodingKey], in document: Data) -> JSONPosition? {
        var reader = JSONReader(Array(document))
        guard let offset = try? reader.offset(of: path[...]) else { return nil }
        return JSONPosition(ofByte: offset, in: document)
    }
}

extension JSONReader {
    /// Reads any value as ``skip()`` does, but validates the content of strings and numbers as well.
    fileprivate mutating func validate() throws(Malformed) {
        switch nextByte {
        case UInt8(ascii: "{"): try object { reader, _ throws(Malformed) in try reader.validate() }
        case UInt8(ascii: "["): try array { reader throws(Malformed) in try reader.validate() }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "n"): _ = try null()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
        default:
            let number = try numberBytes()
            let syntax = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
            guard String(decoding: number, as: UTF8.self).wholeMatch(of: syntax) != nil else {
                throw Malformed(offset: number.startIndex)
            }
        }
    }

    /// Reads any value and returns the offset of the value at a path in it; `nil` if it has no such value.
    fileprivate mutating func offset(of path: ArraySlice<any CodingKey>) throws(Malformed) -> Int? {
        let next = nextByte
        let start = malformed.offset
        guard let key = path.first else {
            try skip()
            return start
        }
        var found: Int?
        switch next {
        case UInt8(ascii: "{"):
            try object { reader, name throws(Malformed) in
                if name.text == key.stringValue {
                    found = try reader.offset(of: path.dropFirst())
                } else {
                    try reader.skip()
                }
            }
        case UInt8(ascii: "["):
            var index = 0
            try array { reader throws(Malformed) in
                if index == key.intValue {
                    found = try reader.offset(of: path.dropFirst())
                } else {
                    try reader.skip()
                }
                index += 1
            }
        default: try skip()
        }
        return found
    }
}
