/// A namespace for percent-encoding an identifier as one segment of a URL's path.
///
/// Every byte that RFC 3986 does not call unreserved is encoded, `/` as `%2F`. The server decodes a segment exactly once.
public enum PathSegment {
    /// Returns an identifier as a URL's path segment: percent-encoded except unreserved characters (RFC 3986, 2.3).
    ///
    /// The identifiers `.` and `..` are encoded completely.
    public static func encode(_ identifier: String) -> String {
        // A normalizing intermediary would resolve the dot segments '.' and '..' (RFC 3986, 5.2.4).
        let isDotSegment = identifier == "." || identifier == ".."
        var bytes: [UInt8] = []
        bytes.reserveCapacity(identifier.utf8.count)
        for byte in identifier.utf8 {
            if isUnreserved(byte), !isDotSegment {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// Returns the identifier that a segment of a URL's path encodes.
    ///
    /// `nil` if an escape sequence is malformed or the bytes are not UTF-8.
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
