import StoreCMessages
public import StoreModel

/// The texts for people in one language, by the English texts that the sources contain.
///
/// ```swift
/// let messages = Messages.of(.german)
/// print(messages.text("Installed"))  // Installiert
/// print(messages.text("{size} left", ["size": "3 MB"]))
/// print(messages.text(2, one: "{count} product", other: "{count} products"))  // 2 Produkte
/// ```
///
/// A text without a translation stays English. JSON, error codes and logs are never translated.
public struct Messages: Sendable {
    /// The language of the texts.
    public let language: Language
    let texts: [String: String]
    let plurals: [String: [String]]

    private init(_ language: Language, _ file: (UnsafePointer<UInt8>?, Int)) {
        self.language = language
        let file = TranslationFile(UnsafeBufferPointer(start: file.0, count: file.1))
        (texts, plurals) = (file.texts, file.plurals)
    }

    init(_ language: Language, _ file: TranslationFile) {
        self.language = language
        (texts, plurals) = (file.texts, file.plurals)
    }

    /// Returns the texts of a language.
    ///
    /// The file of the language is read by the first call.
    public static func of(_ language: Language) -> Messages {
        switch language {
        case .english: english
        case .german: german
        case .french: french
        case .spanish: spanish
        case .catalan: catalan
        case .arabic: arabic
        }
    }

    private static let english = Messages(.english, (nil, 0))
    private static let german = Messages(.german, (cmessages_de(), cmessages_de_size()))
    private static let french = Messages(.french, (cmessages_fr(), cmessages_fr_size()))
    private static let spanish = Messages(.spanish, (cmessages_es(), cmessages_es_size()))
    private static let catalan = Messages(.catalan, (cmessages_ca(), cmessages_ca_size()))
    private static let arabic = Messages(.arabic, (cmessages_ar(), cmessages_ar_size()))

    /// Returns a text in the language.
    ///
    /// - Parameters:
    ///   - english: the English text, a literal of the sources, which `scripts/lib/messages.py` finds there.
    ///   - arguments: the values of the placeholders in braces, such as `{name}`, as they are to be shown.
    public func text(_ english: String, _ arguments: [String: String] = [:]) -> String {
        Self.filled(texts[english] ?? english, arguments)
    }

    /// Returns a text with a number, which is the placeholder `{count}`, in the language.
    ///
    /// - Parameters:
    ///   - number: the number, not negative.
    ///   - one: the English text for the number 1.
    ///   - other: the English text for other numbers.
    ///   - arguments: the values of the other placeholders.
    public func text(_ number: Int, one: String, other: String, _ arguments: [String: String] = [:]) -> String {
        var arguments = arguments
        arguments["count"] = "\(number)"
        let form = language.pluralForm(of: number)
        if let forms = plurals[other], let index = language.pluralForms.firstIndex(of: form), index < forms.count {
            return Self.filled(forms[index], arguments)
        }
        return Self.filled(number == 1 ? one : other, arguments)
    }

    /// The formatter of errors in the language.
    public var errorFormatter: ErrorFormatter { ErrorFormatter(catalogue: ErrorTranslations(texts)) }

    private static func filled(_ text: String, _ arguments: [String: String]) -> String {
        EnglishText.filled(text, arguments)
    }
}
