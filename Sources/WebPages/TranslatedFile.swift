import StoreMessages

/// A namespace of functions that replace the texts in double brackets of a template or script by their translations.
enum TranslatedFile {
    /// Returns a template of a page in a language.
    ///
    /// The placeholders of its texts, such as `{name}`, become tags of the template. `{language}` and `{direction}` are
    /// the attributes of the page's first element.
    static func template(_ file: [UInt8], in language: Language) -> String {
        let template = translated(file, in: language, isScript: false) { text in
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
        }
        return withAttributes(of: language, template)
    }

    /// Returns the manifest of the web app, a JSON document, in a language.
    ///
    /// `{language}` and `{direction}` are its members.
    static func manifest(_ file: [UInt8], in language: Language) -> String {
        withAttributes(of: language, script(file, in: language))
    }

    private static func withAttributes(of language: Language, _ text: String) -> String {
        text.replacing("{language}", with: language.rawValue)
            .replacing("{direction}", with: language.isRightToLeft ? "rtl" : "ltr")
    }

    /// Returns a script in a language; its texts are in string literals, of which those with placeholders are templates.
    static func script(_ file: [UInt8], in language: Language) -> String {
        translated(file, in: language, isScript: true) { text in
            text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("`", with: "\\`")
                .replacing("\n", with: "\\n")
        }
    }

    private static func translated(
        _ file: [UInt8], in language: Language, isScript: Bool, escaping: (String) -> String
    ) -> String {
        let messages = Messages.of(language)
        var rest = String(decoding: file, as: UTF8.self)[...]
        var result = ""
        while let start = rest.firstRange(of: "[["), let end = rest[start.upperBound...].firstRange(of: "]]") {
            result += rest[..<start.lowerBound]
            // Two brackets may also begin an array of arrays.
            if isScript, let before = result.last, before != "\"", before != "`" {
                result += rest[start]
                rest = rest[start.upperBound...]
                continue
            }
            let text = escaping(messages.text(String(rest[start.upperBound..<end.lowerBound])))
            // The placeholders are all that a text has in braces.
            result +=
                isScript
                ? text.replacing("{", with: "${")
                : text.replacing("{", with: "{{").replacing("}", with: "}}")
            rest = rest[end.upperBound...]
        }
        return result + rest
    }
}
