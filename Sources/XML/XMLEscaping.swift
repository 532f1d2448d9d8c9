/// Escapes text for XML documents, so that an XML parser reads the same text.
///
/// A character that XML can't contain, such as most control characters, becomes U+FFFD.
public enum XMLEscaping {
    /// Returns a text as the content of an XML element.
    public static func content(_ text: String) -> String { escaped(text, isAttribute: false) }

    /// Returns a text as the value of an XML attribute, for either kind of quotes; white space is kept.
    public static func attribute(_ text: String) -> String { escaped(text, isAttribute: true) }

    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"" where isAttribute: result += "&quot;"
            case "'" where isAttribute: result += "&apos;"
            // A parser reads a carriage return as a line feed, and both and tabs in attributes as spaces.
            case "\r": result += "&#13;"
            case "\t" where isAttribute: result += "&#9;"
            case "\n" where isAttribute: result += "&#10;"
            case "\t", "\n", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...:
                result.unicodeScalars.append(scalar)
            default: result += "\u{FFFD}"
            }
        }
        return result
    }
}
