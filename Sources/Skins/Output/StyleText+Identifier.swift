extension StyleText {
    /// Returns a text escaped as a CSS identifier (CSS Object Model, "serialize an identifier").
    ///
    /// Non-ASCII characters are also escaped, because implementations differ in which ones they accept (GTK 3: none). NUL,
    /// which CSS can't contain, becomes U+FFFD.
    public static func identifier(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        var start = ""
        if scalars.first == "-" {
            scalars.removeFirst()
            // A hyphen alone is not an identifier.
            start = scalars.isEmpty ? "\\-" : "-"
        }
        if let first = scalars.first, ("0"..."9").contains(first) {
            scalars.removeFirst()
            start += hexadecimal(first)
        }
        return start + identifierPart(String(scalars))
    }

    /// Returns a text escaped for the end of a CSS identifier that begins with, for example, `--`.
    static func identifierPart(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "-": escaped.unicodeScalars.append(scalar)
            case "\0": escaped += hexadecimal("\u{FFFD}")
            default: escaped += hexadecimal(scalar)
            }
        }
        return escaped
    }

    /// The number of bytes of ``identifierPart(_:)``.
    static func identifierPartSize(_ text: String) -> Int {
        var text = text
        return text.withUTF8 { $0.allSatisfy(isPlain) } ? text.utf8.count : identifierPart(text).utf8.count
    }

    /// Whether a byte stands for itself in a CSS identifier.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        "\\" + String(scalar.value, radix: 16) + " "
    }
}
