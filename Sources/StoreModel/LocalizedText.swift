/// Text for display in one or more languages.
///
/// In JSON it is a string, or an object from language tag (BCP 47, such as `pt` or `pt-BR`) to text.
public struct LocalizedText: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// The translations by language tag, such as `pt-BR`; text without a language has an empty tag.
    public let byLanguage: [String: String]

    /// Creates a localizable text that has one form, without a language.
    public init(_ text: String) { byLanguage = ["": text] }
    public init(stringLiteral text: String) { self.init(text) }
    /// Creates a localizable text from its translations by language tag, such as `pt-BR`.
    public init(byLanguage: [String: String]) { self.byLanguage = byLanguage }

    /// Returns the translation for the first available language in a list of language tags, such as `pt-BR`.
    ///
    /// `pt-BR` falls back to `pt`. If no language of the list is available, the result is the text without a language,
    /// else English, else the first by tag. If there is no text at all, the result is empty.
    public func text(in languages: [String] = []) -> String {
        for language in languages {
            if let text = byLanguage[language] { return text }
            if let base = language.split(whereSeparator: { $0 == "-" || $0 == "_" }).first,
                let text = byLanguage[String(base)]
            {
                return text
            }
        }
        return byLanguage[""] ?? byLanguage["en"] ?? byLanguage.min { $0.key < $1.key }?.value ?? ""
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.init(text)
        } else {
            self.init(byLanguage: try container.decode([String: String].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if byLanguage.count == 1, let text = byLanguage[""] {
            try container.encode(text)
        } else {
            try container.encode(byLanguage)
        }
    }
}
