/// Text for display in one or more languages.
///
/// In JSON it is a string, or an object from language tag (BCP 47, such as `pt` or `pt-BR`) to text.
public struct LocalizedText: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// The text without a language; `nil` if there is none.
    ///
    /// Apart from the translations, because most texts have nothing else, and a dictionary for each takes much memory.
    private let plain: String?
    private let translations: [String: String]

    /// The translations by language tag, such as `pt-BR`; text without a language has an empty tag.
    public var byLanguage: [String: String] {
        guard let plain else { return translations }
        return translations.merging(["": plain]) { $1 }
    }

    /// The text if it has one form, without a language; `nil` if it has others or none.
    public var only: String? { translations.isEmpty ? plain : nil }

    /// Creates a localizable text that has one form, without a language.
    public init(_ text: String) { (plain, translations) = (text, [:]) }
    public init(stringLiteral text: String) { self.init(text) }
    /// Creates a localizable text from its translations by language tag, such as `pt-BR`.
    public init(byLanguage: [String: String]) {
        var translations = byLanguage
        plain = translations.removeValue(forKey: "")
        self.translations = translations
    }

    /// Returns the translation for the first available language in a list of language tags, such as `pt-BR`.
    ///
    /// `pt-BR` falls back to `pt`. If no language of the list is available, the result is the text without a language,
    /// else English, else the first by tag. If there is no text at all, the result is empty.
    public func text(in languages: [String] = []) -> String {
        for language in languages {
            if let text = text(of: language) { return text }
            if let base = language.split(whereSeparator: { $0 == "-" || $0 == "_" }).first,
                let text = text(of: String(base))
            {
                return text
            }
        }
        return plain ?? translations["en"] ?? translations.min { $0.key < $1.key }?.value ?? ""
    }

    private func text(of language: String) -> String? { language.isEmpty ? plain : translations[language] }

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
        if let only {
            try container.encode(only)
        } else {
            try container.encode(byLanguage)
        }
    }
}
