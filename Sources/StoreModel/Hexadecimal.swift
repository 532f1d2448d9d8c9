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

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
