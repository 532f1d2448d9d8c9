/// A namespace for finding references and active content in CSS (W3C, CSS Syntax 3).
enum StyleReferences {
    /// The error for active content in a CSS style, such as a script, with the text that was found.
    struct ActiveContent: Error { let text: String }

    /// The maximum length of an address in characters; that of an element of the same document is a short identifier.
    private static let addressLimit = 1024

    /// Finds the references of a CSS style to elements of the same document.
    ///
    /// - Parameter refer: called with the identifier of each referenced element.
    /// - Throws: ``ActiveContent`` for other references and scripts.
    static func visit(_ style: String, _ refer: (String) -> Void) throws(ActiveContent) {
        // A fast path: most attributes are numbers.
        guard
            style.utf8.contains(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: ":") }
            )
        else { return }
        let plain = style.utf8.contains(UInt8(ascii: "\\")) ? unescaped(style) : style
        let text = plain.lowercased()
        for word in [
            "@import", "javascript:", "vbscript:", "expression(", "-moz-binding", "behavior:", "image-set(", "src(",
        ]
        where text.contains(word) {
            throw ActiveContent(text: word)
        }
        guard text.contains("url") else { return }
        // Searched in the original text: identifiers are case-sensitive, and lower case can have another length. By code
        // points, as CSS is read: a parenthesis with a combining mark is one Character, and still ends an address.
        let opening = /[uU][rR][lL]\s*\(/.matchingSemantics(.unicodeScalar)
        var rest = plain[...]
        while let found = rest.firstRange(of: opening) {
            // White space does not count towards the limit; otherwise an address behind more of it would seem empty.
            let start = rest[found.upperBound...].unicodeScalars.drop {
                $0.properties.isWhitespace || $0 == "'" || $0 == "\""
            }
            var left = Self.addressLimit
            let whole = start.prefix { scalar in
                left -= 1
                return left >= 0 && scalar != ")"
            }
            let end = start[whole.endIndex...]
            defer { rest = Substring(end) }
            let address = Substring(whole).trimming { $0.isWhitespace || $0 == "'" || $0 == "\"" }
            // An address that is cut off by the limit names no element of the document. What seems to be one may begin in a
            // string or a comment, where it does not end at a parenthesis, and contain another address.
            guard address.first == "#", !whole.contains(where: { $0 == "(" }), end.first == ")" || end.isEmpty else {
                // A quote that is not closed before the parenthesis begins an address that contains it.
                let quoted = rest[found.upperBound..<whole.endIndex].trimming(while: \.isWhitespace)
                if ["", "''", "\"\""].contains(quoted), end.first == ")" || end.isEmpty { continue }
                throw ActiveContent(text: "url(\(address.prefix(60)))")
            }
            refer(String(address.dropFirst()))
        }
    }

    /// Returns a CSS style with its escapes replaced by the characters that they hide.
    private static func unescaped(_ style: String) -> String {
        var made = ""
        var rest = Substring(style)
        while let backslash = rest.firstIndex(of: "\\") {
            made += rest[..<backslash]
            rest = rest[rest.index(after: backslash)...]
            let digits = rest.prefix(6).prefix(while: \.isHexDigit)
            if let number = UInt32(digits, radix: 16) {
                rest = rest[digits.endIndex...]
                if rest.first?.isWhitespace == true { rest.removeFirst() }
                made.unicodeScalars.append(Unicode.Scalar(number) ?? "\u{FFFD}")
            } else if let character = rest.popFirst() {
                made.append(character)
            }
        }
        return made + rest
    }
}

extension Substring {
    func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
        var rest = drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
