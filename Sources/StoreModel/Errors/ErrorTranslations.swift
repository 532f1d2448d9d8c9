/// The translations of error messages and hints into one language, by the English texts of the templates.
///
/// A text that changes in English has no translation until that is renewed, and is shown in English meanwhile.
public struct ErrorTranslations: Sendable {
    private let texts: [String: String]

    /// Creates translations; without any, errors are in English.
    ///
    /// - Parameter texts: the translated texts, with the same placeholders, by the English ones.
    public init(_ texts: [String: String] = [:]) { self.texts = texts }

    func message(of template: ErrorTemplate) -> String { texts[template.message] ?? template.message }

    /// Returns the hint of an error template for a reader.
    func hint(of template: ErrorTemplate, for audience: ErrorAudience) -> String? {
        guard let hint = audience == .publisher ? template.publisherHint : template.hint else { return nil }
        return texts[hint] ?? hint
    }
}
