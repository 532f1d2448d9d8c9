/// The name of a pack's directory without its extension, derived from the product identifier.
///
/// Every UTF-8 byte outside `[A-Za-z0-9._-]`, and a leading dot, becomes `%XX`. A name of more than 200 bytes becomes its
/// first 120 bytes, `~`, and the SHA-256 of the identifier in hexadecimal. The receipt in the directory has the
/// identifier itself.
public struct PackDirectoryName: Sendable, Hashable, CustomStringConvertible {
    /// The name of the pack's directory, without the extension that its kind adds.
    public let text: String
    public var description: String { text }

    /// Derives the name of a pack's directory from the product identifier.
    public init(productIdentifier: String) {
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        for (place, byte) in productIdentifier.utf8.enumerated() {
            if Self.isPlain(byte), !(place == 0 && byte == UInt8(ascii: ".")) {
                escaped.append(byte)
            } else {
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        guard escaped.count > 200 else {
            text = String(decoding: escaped, as: UTF8.self)
            return
        }
        text =
            String(decoding: escaped.prefix(120), as: UTF8.self) + "~"
            + SHA256Digest(of: productIdentifier.utf8).hex
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
