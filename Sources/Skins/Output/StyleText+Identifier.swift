extension StyleText {
    /// As one identifier, whatever characters are in it (CSS Object Model, "serialize an identifier").
    ///
    /// Characters beyond ASCII are escaped, too, because readers do not agree on which of them may be in one (GTK 3: none).
    /// NUL, which no style sheet can have, becomes U+FFFD.
    public static func identifier(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        var start = ""
        if scalars.first == "-" {
            scalars.removeFirst()
            // Alone it would be no identifier.
            start = scalars.isEmpty ? "\\-" : "-"
        }
        if let first = scalars.first, ("0"..."9").contains(first) {
            scalars.removeFirst()
            start += hexadecimal(first)
        }
        return start + identifierPart(String(scalars))
    }

    /// As what follows the beginning of an identifier, such as `--`.
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

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        "\\" + String(scalar.value, radix: 16) + " "
    }
}
