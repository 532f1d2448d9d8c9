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
    /// `zh-Hant-TW` falls back to `zh-Hant` and then to `zh` (RFC 4647, section 3.4); the case of letters does not count,
    /// as in BCP 47. If no language of the list is available, the result is the text without a language, else English,
    /// else the first by tag. If there is no text at all, the result is empty.
    public func text(in languages: [String] = []) -> String {
        // Most texts have one form, and lists have thousands of them.
        if translations.isEmpty { return plain ?? "" }
        for language in languages {
            var tag = language[...]
            while true {
                if let text = text(of: tag) { return text }
                guard let end = tag.lastIndex(where: { $0 == "-" || $0 == "_" }), end > tag.startIndex else { break }
                tag = tag[..<end]
            }
        }
        return plain ?? text(of: "en") ?? translations.min { $0.key < $1.key }?.value ?? ""
    }

    /// Returns the text of exactly this language tag, or else of the first one that differs in the case of letters only.
    private func text(of language: Substring) -> String? {
        if language.isEmpty { return plain }
        if let text = translations[String(language)] { return text }
        return translations.lazy.filter { Self.isSame($0.key, language) }.min { $0.key < $1.key }?.value
    }

    /// Returns whether two language tags, which are ASCII, are the same without regard to case; `_` is the same as `-`.
    private static func isSame(_ a: String, _ b: Substring) -> Bool {
        func folded(_ byte: UInt8) -> UInt8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case UInt8(ascii: "_"): UInt8(ascii: "-")
            default: byte
            }
        }
        // The lengths, because most tags differ in them.
        return a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8) { folded($0) == folded($1) }
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
        if let only {
            try container.encode(only)
        } else {
            try container.encode(byLanguage)
        }
    }
}
