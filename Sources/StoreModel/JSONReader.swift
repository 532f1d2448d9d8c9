public import FoundationEssentials

/// A type whose values are read from JSON without `Codable`, for lists of thousands of values.
///
/// `Codable` takes a hundred times as long as parsing the bytes. Conforming types are `Codable` as well, and tests
/// compare the results of both.
public protocol JSONReadable: Sendable {
    /// Creates a value of this type by reading it from JSON at the reader's position.
    ///
    /// - Throws: ``JSONReader/Malformed``.
    init(from reader: inout JSONReader) throws(JSONReader.Malformed)
}

extension JSON {
    /// Decodes a whole JSON document with ``JSONReader``, which is faster than `Codable`.
    ///
    /// - Throws: ``JSONReader/Malformed``.
    public static func read<Value: JSONReadable>(
        _ type: Value.Type = Value.self, from data: Data
    ) throws(JSONReader.Malformed) -> Value {
        try read(from: Array(data))
    }

    /// Decodes a whole JSON document with ``JSONReader``, without copying its bytes.
    ///
    /// - Throws: ``JSONReader/Malformed``.
    public static func read<Value: JSONReadable>(
        _ type: Value.Type = Value.self, from bytes: [UInt8]
    ) throws(JSONReader.Malformed) -> Value {
        var reader = JSONReader(bytes)
        let value = try Value(from: &reader)
        try reader.end()
        return value
    }
}

/// A pull parser for JSON (RFC 8259): the caller reads the values in document order.
///
/// It refuses an object in which a member occurs twice: parsers differ in whether the first or the last one counts, so
/// that a document could show a person, or a check, another value than the program uses.
public struct JSONReader: Sendable {
    /// The document is not valid JSON, or does not have the requested value.
    public struct Malformed: Error, Equatable, CustomStringConvertible {
        /// The offset of the error in the JSON document, in bytes.
        public let offset: Int
        /// The name of the member that occurs twice in an object, if that is the error.
        public let repeatedMember: String?

        init(offset: Int, repeatedMember: String? = nil) {
            self.offset = offset
            self.repeatedMember = repeatedMember
        }

        /// The error as the reason in a message.
        public var description: String {
            guard let repeatedMember else { return "invalid JSON at byte \(offset)" }
            return "the member '\(String(repeatedMember.unicodeScalars.prefix(80)))' occurs twice"
        }
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0
    private static let maximumDepth = 128

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // The byte order mark that some editors write.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// Reads a document only to find out whether its structure is valid and no member occurs twice.
    ///
    /// Numbers and the content of strings are not validated.
    static func check(_ data: Data) throws(Malformed) {
        var reader = JSONReader(Array(data))
        try reader.skip()
        try reader.end()
    }

    /// The name of a member of a JSON object, which can be compared without being copied into a string.
    public struct Name: Sendable {
        fileprivate let bytes: ArraySlice<UInt8>

        /// The name of the member as a string, or `nil` if it is not valid UTF-8.
        public var text: String? { try? String(copying: UTF8Span(validating: bytes.span)) }

        /// Returns whether a JSON member's name equals a text, so that a `switch` over names can list texts.
        public static func ~= (text: StaticString, name: Name) -> Bool {
            guard text.utf8CodeUnitCount == name.bytes.count else { return false }
            return name.bytes.withUnsafeBufferPointer { bytes in
                bytes.indices.allSatisfy { bytes[$0] == text.utf8Start[$0] }
            }
        }
    }

    /// An error that says that the JSON document is malformed at the reader's current offset.
    public var malformed: Malformed { Malformed(offset: offset) }

    // MARK: Values

    /// Reads a JSON object; `member` is called with each name and has to read the value.
    public mutating func object(
        _ member: (inout JSONReader, Name) throws(Malformed) -> Void
    ) throws(Malformed) {
        try open(UInt8(ascii: "{"))
        var names = JSONMemberNames()
        var isFirst = true
        while try !close(UInt8(ascii: "}")) {
            if !isFirst { try take(UInt8(ascii: ",")) }
            isFirst = false
            let name = try name(&names)
            try take(UInt8(ascii: ":"))
            try member(&self, name)
        }
    }

    /// Reads a JSON array; `element` is called for each element and has to read it.
    public mutating func array(_ element: (inout JSONReader) throws(Malformed) -> Void) throws(Malformed) {
        try open(UInt8(ascii: "["))
        var isFirst = true
        while try !close(UInt8(ascii: "]")) {
            if !isFirst { try take(UInt8(ascii: ",")) }
            isFirst = false
            try element(&self)
        }
    }

    /// Reads a JSON array whose elements are all of one type, and returns them.
    public mutating func array<Element: JSONReadable>(of type: Element.Type) throws(Malformed) -> [Element] {
        var elements: [Element] = []
        try array { reader throws(Malformed) in elements.append(try Element(from: &reader)) }
        return elements
    }

    /// Reads `null` if it is the next value in the JSON document, and returns whether it was.
    public mutating func null() throws(Malformed) -> Bool {
        skipSpace()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "n") else { return false }
        try takeLiteral("null")
        return true
    }

    /// Reads a JSON Boolean (`true` or `false`) and returns it.
    public mutating func bool() throws(Malformed) -> Bool {
        skipSpace()
        guard offset < bytes.count else { throw malformed }
        let isTrue = bytes[offset] == UInt8(ascii: "t")
        try takeLiteral(isTrue ? "true" : "false")
        return isTrue
    }

    /// Reads a JSON number that is whole and in the range of `Int`, and returns it.
    public mutating func integer() throws(Malformed) -> Int { try number { Int($0) } }

    /// Reads a JSON number that is whole, not negative, and may exceed the range of ``integer()``.
    public mutating func unsigned() throws(Malformed) -> UInt64 { try number { UInt64($0) } }

    /// Reads a JSON number and returns it as a floating-point value.
    public mutating func real() throws(Malformed) -> Double { try number { Double($0) } }

    private mutating func number<Number>(_ read: (String) -> Number?) throws(Malformed) -> Number {
        let text = try numberBytes()
        guard let value = read(String(decoding: text, as: UTF8.self)) else { throw Malformed(offset: text.startIndex) }
        return value
    }

    /// Returns whether the next value in the JSON document is an object, without reading it.
    public mutating func isObject() -> Bool { nextByte == UInt8(ascii: "{") }

    /// The first byte of the next value in the JSON document, which is not read; `nil` at the end of the document.
    package var nextByte: UInt8? {
        mutating get {
            skipSpace()
            return offset < bytes.count ? bytes[offset] : nil
        }
    }

    /// Reads a JSON string and returns it with its escapes resolved.
    public mutating func string() throws(Malformed) -> String {
        let (content, isPlain) = try rawString()
        // Without repair: invalid UTF-8 is invalid JSON.
        let text = isPlain ? plainText(content) : Self.unescaped(bytes[content])
        guard let text else { throw Malformed(offset: content.lowerBound) }
        return text
    }

    /// Reads a JSON string that is a date in ISO 8601, and returns the date.
    public mutating func date() throws(Malformed) -> Date {
        let start = offset
        guard let date = ISO8601.date(try string()) else { throw Malformed(offset: start) }
        return date
    }

    /// Reads any value and discards it; the content of strings is not validated.
    public mutating func skip() throws(Malformed) {
        skipSpace()
        guard offset < bytes.count else { throw malformed }
        switch bytes[offset] {
        case UInt8(ascii: "{"): try object { reader, _ throws(Malformed) in try reader.skip() }
        case UInt8(ascii: "["): try array { reader throws(Malformed) in try reader.skip() }
        case UInt8(ascii: "\""): _ = try rawString()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
        case UInt8(ascii: "n"): _ = try null()
        default: _ = try numberBytes()
        }
    }

    /// Checks that nothing but white space follows the JSON value that was read.
    mutating func end() throws(Malformed) {
        skipSpace()
        guard offset == bytes.count else { throw malformed }
    }

    // MARK: Bytes

    private mutating func skipSpace() {
        while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x0A, 0x0D, 0x09: true
        default: false
        }
    }

    private mutating func take(_ byte: UInt8) throws(Malformed) {
        skipSpace()
        guard offset < bytes.count, bytes[offset] == byte else { throw malformed }
        offset += 1
    }

    private mutating func open(_ byte: UInt8) throws(Malformed) {
        try take(byte)
        depth += 1
        guard depth <= Self.maximumDepth else { throw malformed }
    }

    private mutating func close(_ byte: UInt8) throws(Malformed) -> Bool {
        skipSpace()
        guard offset < bytes.count else { throw malformed }
        guard bytes[offset] == byte else { return false }
        offset += 1
        depth -= 1
        return true
    }

    private mutating func takeLiteral(_ word: StaticString) throws(Malformed) {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count, word.withUTF8Buffer({ $0.elementsEqual(bytes[offset..<end]) }) else {
            throw malformed
        }
        offset = end
    }

    /// Reads the bytes of a JSON number, whose syntax is not validated.
    package mutating func numberBytes() throws(Malformed) -> ArraySlice<UInt8> {
        skipSpace()
        let start = offset
        while offset < bytes.count, Self.isNumberByte(bytes[offset]) { offset += 1 }
        guard offset > start else { throw malformed }
        return bytes[start..<offset]
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Reads the name of a member, which must not be one of these names, and adds it to them.
    private mutating func name(_ names: inout JSONMemberNames) throws(Malformed) -> Name {
        let (content, isPlain) = try rawString()
        let name: Name
        let isNew: Bool
        if isPlain {
            name = Name(bytes: bytes[content])
            isNew = names.insert(content, of: bytes)
        } else {
            guard let text = Self.unescaped(bytes[content]) else { throw Malformed(offset: content.lowerBound) }
            name = Name(bytes: Array(text.utf8)[...])
            isNew = names.insert(text, of: bytes)
        }
        guard isNew else {
            throw Malformed(offset: offset, repeatedMember: String(decoding: name.bytes, as: UTF8.self))
        }
        return name
    }

    /// Reads a JSON string without resolving its escapes.
    ///
    /// - Returns: the range of the bytes between the quotation marks, and whether they contain no escapes.
    private mutating func rawString() throws(Malformed) -> (Range<Int>, isPlain: Bool) {
        try take(UInt8(ascii: "\""))
        let start = offset
        var isPlain = true
        let isClosed: Bool
        (offset, isClosed) = bytes.withUnsafeBufferPointer { bytes in
            var end = start
            while end < bytes.count {
                switch bytes[end] {
                case UInt8(ascii: "\""): return (end, true)
                case UInt8(ascii: "\\"):
                    isPlain = false
                    end += 2
                case 0..<0x20: return (end, false)
                default: end += 1
                }
            }
            return (end, false)
        }
        guard isClosed else { throw malformed }
        defer { offset += 1 }
        return (start..<offset, isPlain)
    }

    /// Returns the text without escapes in a range of the document; `nil` if it is not valid UTF-8.
    private func plainText(_ range: Range<Int>) -> String? {
        try? String(copying: UTF8Span(validating: bytes.span.extracting(range)))
    }

    /// Resolves the escapes in the bytes of a JSON string, and returns the string; `nil` if an escape is invalid.
    private static func unescaped(_ content: ArraySlice<UInt8>) -> String? {
        var units: [UInt8] = []
        var rest = content
        func unit() -> UInt16? {
            let digits = rest.prefix(4)
            rest = rest.dropFirst(4)
            guard digits.count == 4, digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }) else {
                return nil
            }
            return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        }
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                units.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\""): units.append(UInt8(ascii: "\""))
            case UInt8(ascii: "\\"): units.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "/"): units.append(UInt8(ascii: "/"))
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "u"):
                guard let first = unit() else { return nil }
                var pair = [first]
                if UTF16.isLeadSurrogate(first) {
                    guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
                        let second = unit()
                    else { return nil }
                    pair.append(second)
                }
                guard let text = String(validating: pair, as: UTF16.self) else { return nil }
                units += text.utf8
            default: return nil
            }
        }
        return String(validating: units, as: UTF8.self)
    }
}
