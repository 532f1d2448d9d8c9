public import FoundationEssentials

/// What is read without Codable, because lists hold thousands of it and Codable takes a hundred times as long as a look
/// at the bytes. It stays Codable all the same, and its tests hold the one against the other.
public protocol JSONReadable: Sendable {
    /// - Throws: ``JSONReader/Malformed``.
    init(from reader: inout JSONReader) throws(JSONReader.Malformed)
}

extension JSON {
    /// Reads a document of which all is to be there.
    ///
    /// - Throws: ``JSONReader/Malformed``.
    public static func read<Value: JSONReadable>(
        _ type: Value.Type = Value.self, from data: Data
    ) throws(JSONReader.Malformed) -> Value {
        var reader = JSONReader(data)
        let value = try Value(from: &reader)
        try reader.end()
        return value
    }
}

/// Goes through the bytes of a JSON document once (RFC 8259), from value to value as whoever reads asks for them.
public struct JSONReader: Sendable {
    /// The bytes are not what was asked for.
    public struct Malformed: Error, Equatable {
        /// Where, counted in bytes from 0.
        public let place: Int
    }

    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0
    private static let deepest = 128

    init(_ data: Data) { bytes = Array(data) }

    /// The name of a member, compared where it lies.
    public struct Name: Sendable {
        fileprivate let bytes: ArraySlice<UInt8>

        /// As a text, where it is one.
        public var text: String? { String(validating: bytes, as: UTF8.self) }

        public static func ~= (text: StaticString, name: Name) -> Bool {
            guard text.utf8CodeUnitCount == name.bytes.count else { return false }
            return text.withUTF8Buffer { $0.elementsEqual(name.bytes) }
        }
    }

    /// What is thrown where it has come to.
    public var malformed: Malformed { Malformed(place: place) }

    // MARK: Values

    /// An object: `member` is called for each name, and has to read the value.
    public mutating func object(
        _ member: (inout JSONReader, Name) throws(Malformed) -> Void
    ) throws(Malformed) {
        try open(UInt8(ascii: "{"))
        var isFirst = true
        while try !close(UInt8(ascii: "}")) {
            if !isFirst { try take(UInt8(ascii: ",")) }
            isFirst = false
            let name = try name()
            try take(UInt8(ascii: ":"))
            try member(&self, name)
        }
    }

    /// An array: `element` is called for each.
    public mutating func array(_ element: (inout JSONReader) throws(Malformed) -> Void) throws(Malformed) {
        try open(UInt8(ascii: "["))
        var isFirst = true
        while try !close(UInt8(ascii: "]")) {
            if !isFirst { try take(UInt8(ascii: ",")) }
            isFirst = false
            try element(&self)
        }
    }

    public mutating func array<Element: JSONReadable>(of type: Element.Type) throws(Malformed) -> [Element] {
        var elements: [Element] = []
        try array { reader throws(Malformed) in elements.append(try Element(from: &reader)) }
        return elements
    }

    /// Whether the next value is `null`, which is then behind us.
    public mutating func null() throws(Malformed) -> Bool {
        skipSpace()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "n") else { return false }
        try takeWord("null")
        return true
    }

    public mutating func bool() throws(Malformed) -> Bool {
        skipSpace()
        guard place < bytes.count else { throw malformed }
        let isTrue = bytes[place] == UInt8(ascii: "t")
        try takeWord(isTrue ? "true" : "false")
        return isTrue
    }

    /// A whole number.
    public mutating func integer() throws(Malformed) -> Int { try number { Int($0) } }

    /// A whole number that is not negative, also one that no ``integer()`` holds.
    public mutating func unsigned() throws(Malformed) -> UInt64 { try number { UInt64($0) } }

    public mutating func real() throws(Malformed) -> Double { try number { Double($0) } }

    private mutating func number<Number>(_ read: (String) -> Number?) throws(Malformed) -> Number {
        let text = try number()
        guard let value = read(String(decoding: text, as: UTF8.self)) else { throw Malformed(place: text.startIndex) }
        return value
    }

    /// Whether the next value is an object, of which nothing is read by that.
    public mutating func isObject() -> Bool {
        skipSpace()
        return place < bytes.count && bytes[place] == UInt8(ascii: "{")
    }

    public mutating func string() throws(Malformed) -> String {
        let (content, isPlain) = try rawString()
        if isPlain {
            // Not whatever can be made of the bytes: what is no UTF-8 is no JSON.
            guard let text = String(validating: content, as: UTF8.self) else {
                throw Malformed(place: content.startIndex)
            }
            return text
        }
        guard let text = Self.unescaped(content) else { throw Malformed(place: content.startIndex) }
        return text
    }

    /// A point in time as ISO 8601.
    public mutating func date() throws(Malformed) -> Date {
        let start = place
        guard let date = ISO8601.date(try string()) else { throw Malformed(place: start) }
        return date
    }

    /// Any value, of which nothing is wanted.
    public mutating func skip() throws(Malformed) {
        skipSpace()
        guard place < bytes.count else { throw malformed }
        switch bytes[place] {
        case UInt8(ascii: "{"): try object { reader, _ throws(Malformed) in try reader.skip() }
        case UInt8(ascii: "["): try array { reader throws(Malformed) in try reader.skip() }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
        case UInt8(ascii: "n"): _ = try null()
        default: _ = try number()
        }
    }

    /// Nothing may follow.
    mutating func end() throws(Malformed) {
        skipSpace()
        guard place == bytes.count else { throw malformed }
    }

    // MARK: Bytes

    private mutating func skipSpace() {
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x0A, 0x0D, 0x09: true
        default: false
        }
    }

    private mutating func take(_ byte: UInt8) throws(Malformed) {
        skipSpace()
        guard place < bytes.count, bytes[place] == byte else { throw malformed }
        place += 1
    }

    private mutating func open(_ byte: UInt8) throws(Malformed) {
        try take(byte)
        depth += 1
        guard depth <= Self.deepest else { throw malformed }
    }

    private mutating func close(_ byte: UInt8) throws(Malformed) -> Bool {
        skipSpace()
        guard place < bytes.count else { throw malformed }
        guard bytes[place] == byte else { return false }
        place += 1
        depth -= 1
        return true
    }

    private mutating func takeWord(_ word: StaticString) throws(Malformed) {
        let end = place + word.utf8CodeUnitCount
        guard end <= bytes.count, word.withUTF8Buffer({ $0.elementsEqual(bytes[place..<end]) }) else { throw malformed }
        place = end
    }

    private mutating func number() throws(Malformed) -> ArraySlice<UInt8> {
        skipSpace()
        let start = place
        while place < bytes.count, Self.isOfNumbers(bytes[place]) { place += 1 }
        guard place > start else { throw malformed }
        return bytes[start..<place]
    }

    private static func isOfNumbers(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func name() throws(Malformed) -> Name {
        let (content, isPlain) = try rawString()
        if isPlain { return Name(bytes: content) }
        guard let text = Self.unescaped(content) else { throw Malformed(place: content.startIndex) }
        return Name(bytes: Array(text.utf8)[...])
    }

    /// What stands between the quotation marks, and whether it means what it says.
    private mutating func rawString() throws(Malformed) -> (ArraySlice<UInt8>, isPlain: Bool) {
        try take(UInt8(ascii: "\""))
        let start = place
        var isPlain = true
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                defer { place += 1 }
                return (bytes[start..<place], isPlain)
            case UInt8(ascii: "\\"):
                isPlain = false
                place += 2
            case 0..<0x20: throw malformed
            default: place += 1
            }
        }
        throw malformed
    }

    /// `nil` where an escape is none.
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
