public import StoreModel

/// A namespace of functions that parse and write numbers with a decimal point, independently of the locale.
enum SkinNumber {
    /// Parses a finite number with a decimal point; `nil` for any other text.
    static func read(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { read($0[...]) }
    }

    /// Parses a finite number with a decimal point from its UTF-8 bytes; `nil` for any other text.
    static func read(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        let trimmed = text.drop { $0 <= 0x20 }
        let digits = trimmed.prefix { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        // 17 digits identify a double; texts that are much longer would only cost time.
        guard !digits.isEmpty, digits.count <= 40, trimmed[digits.endIndex...].allSatisfy({ $0 <= 0x20 }) else {
            return nil
        }
        if let whole = wholeNumber(digits) { return whole }
        guard let number = Double(String(decoding: digits, as: UTF8.self)), number.isFinite else { return nil }
        return number
    }

    /// Parses a whole number of few digits, as most numbers in skins are; `nil` for any other text.
    private static func wholeNumber(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        guard digits.count <= 15 else { return nil }
        var number: Int64 = 0
        for byte in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return Double(number)
    }

    /// Returns a size in bytes that the text of a number does not exceed: the exact one for a whole number.
    static func maximumTextSize(_ number: Double) -> Int {
        guard number == number.rounded(), abs(number) < 0x1p53 else { return "-1.2345678901234567e-308".utf8.count }
        return maximumTextSize(Int(number))
    }

    /// Returns the size in bytes of the text of a whole number.
    static func maximumTextSize(_ number: Int) -> Int {
        var (size, rest) = (number < 0 ? 2 : 1, number.magnitude / 10)
        while rest > 0 { (size, rest) = (size + 1, rest / 10) }
        return size
    }

    /// Returns a number as its shortest text; a whole number has no decimal point.
    static func write(_ number: Double) -> String {
        // Above 2^53, not every whole number is a double.
        if number == number.rounded(), abs(number) < 0x1p53 { return String(Int64(number)) }
        return number.description
    }

    /// Parses exactly `count` numbers separated by commas; `nil` for any other text.
    static func read(_ text: String, count: Int) -> [Double]? {
        var text = text
        return text.withUTF8 { bytes in
            // Split by bytes: a comma with a combining mark is a single Character.
            let parts = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard parts.count == count else { return nil }
            var numbers: [Double] = []
            for part in parts {
                guard let number = read(part) else { return nil }
                numbers.append(number)
            }
            return numbers
        }
    }

    static func write(_ numbers: [Double]) -> String { numbers.map(write).joined(separator: ", ") }

    static func css(_ numbers: [Double], isLength: Bool) -> String {
        numbers.map { isLength ? write($0) + "px" : write($0) }.joined(separator: " ")
    }
}

/// The type `float` of values in skins: a finite number.
public struct FloatType: ObjectType {
    public let name = "float"
    public init() {}

    public func value(of source: ObjectSource) throws(ObjectError) -> Double {
        guard let number = value(ofText: source.text) else { throw .bad("invalid number '\(source.text.prefix(60))'") }
        return number
    }

    /// Returns a number as its content; -0 has the text of 0, and is therefore 0.
    public func content(of value: Double) -> SkinValue.Content { .number(value + 0) }

    @inlinable public func value(of content: SkinValue.Content) -> Double? {
        guard case .number(let number) = content else { return value(ofText: content.text) }
        return number.isFinite ? number : nil
    }

    public func text(of value: Double) -> String { SkinNumber.write(value) }
    public func value(ofText text: String) -> Double? { SkinNumber.read(text) }
    public func css(_ value: Double, in context: StyleContext) -> String? {
        SkinNumber.css([value], isLength: context.isLength)
    }
    public func json(_ value: Double, in vocabulary: SkinVocabulary) -> JSONValue { .number(value) }
}

/// The type `integer` of values in skins: a whole number of 64 bits.
public struct IntegerType: ObjectType {
    public let name = "integer"
    public init() {}

    public func value(of source: ObjectSource) throws(ObjectError) -> Int {
        guard let number = Int(source.text) else { throw .bad("invalid whole number '\(source.text.prefix(60))'") }
        return number
    }

    public func content(of value: Int) -> SkinValue.Content { .integer(value) }

    @inlinable public func value(of content: SkinValue.Content) -> Int? {
        if case .integer(let number) = content { number } else { value(ofText: content.text) }
    }

    public func text(of value: Int) -> String { String(value) }
    public func value(ofText text: String) -> Int? { Int(text) }
    public func css(_ value: Int, in context: StyleContext) -> String? { context.isLength ? "\(value)px" : "\(value)" }
    public func json(_ value: Int, in vocabulary: SkinVocabulary) -> JSONValue { .integer(value) }
}

/// The type `string` of values in skins: any text.
public struct StringType: ObjectType {
    public let name = "string"
    public init() {}

    public func value(of source: ObjectSource) -> String { source.text }
    public func text(of value: String) -> String { value }
    public func value(ofText text: String) -> String? { text }

    /// Returns a text in CSS: a word as a CSS keyword, such as `center`, and any other text as a quoted string.
    public func css(_ value: String, in context: StyleContext) -> String? {
        let isWord = value.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"): true
            default: false
            }
        }
        return isWord && !value.isEmpty && !value.hasPrefix("-") ? value : StyleText.quoted(value)
    }
}

extension ObjectType where Self == FloatType { public static var float: FloatType { FloatType() } }
extension ObjectType where Self == IntegerType { public static var integer: IntegerType { IntegerType() } }
extension ObjectType where Self == StringType { public static var string: StringType { StringType() } }
