/// A namespace for the functions that read and write bytes as hexadecimal digits.
package enum Hexadecimal {
    /// Returns the bytes that a text of hexadecimal digits states, two digits for each; `nil` for other text.
    package static func bytes(_ text: String) -> [UInt8]? {
        let count = text.utf8.count
        guard count.isMultiple(of: 2) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count / 2)
        for (place, character) in text.utf8.enumerated() {
            guard let digit = value(ofDigit: character) else { return nil }
            bytes[place / 2] = bytes[place / 2] << 4 | digit
        }
        return bytes
    }

    private static func value(ofDigit character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns bytes as lower-case hexadecimal digits, two for each.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes a number as lower-case hexadecimal digits, the lowest at the end of `text`; there is no room for higher ones.
    static func write(_ number: UInt64, to text: Slice<UnsafeMutableBufferPointer<UInt8>>) {
        var rest = number
        for place in text.indices.reversed() {
            text.base.initializeElement(at: place, to: digit(UInt8(rest & 15)))
            rest >>= 4
        }
    }

    /// Returns the number that a text of at most 16 lower-case hexadecimal digits states; `nil` for other text.
    static func number(_ text: Substring.UTF8View) -> UInt64? {
        var number: UInt64 = 0
        for character in text {
            guard let digit = value(ofDigit: character), character == Self.digit(digit) else { return nil }
            number = number << 4 | UInt64(digit)
        }
        return number
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
