/// An identifier as one segment of a path: every byte that RFC 3986 does not call unreserved is percent-encoded, `/`
/// as `%2F`, and it is decoded once.
public enum PathSegment {
    public static func encode(_ identifier: String) -> String {
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        // A segment of dots alone would be taken for a way up or nowhere by whoever normalises paths.
        let onlyDots = identifier == "." || identifier == ".."
        var bytes: [UInt8] = []
        for byte in identifier.utf8 {
            if unreserved.contains(byte), !onlyDots {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `nil` where an escape is not one, or the bytes are not UTF-8.
    public static func decode(_ segment: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(segment.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
