/// A catalogue of translated error messages in one language, by the identifiers of the messages' templates.
///
/// The English texts are part of the templates; the English catalogue is therefore empty.
public struct ErrorTranslations: Sendable {
    /// The translated message and hint that replace the English texts of one error template.
    public struct Texts: Sendable, Hashable {
        /// The translated error message, with the same placeholders as the template's.
        public var message: String
        /// The translated hint of the error, with the same placeholders as the template's; `nil` where there is none.
        public var hint: String?

        /// Creates the translated texts of one error template.
        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }
    }

    private let texts: [String: Texts]

    /// Creates a catalogue of translated error messages.
    ///
    /// - Parameter texts: the texts by ``ErrorTemplate/identifier``.
    public init(_ texts: [String: Texts] = [:]) { self.texts = texts }

    func message(of template: ErrorTemplate) -> String { texts[template.identifier]?.message ?? template.message }

    /// Returns the hint of an error template for a reader; hints that only publishers see are not translated.
    func hint(of template: ErrorTemplate, for audience: ErrorAudience) -> String? {
        if audience == .publisher, template.publisherHint != template.hint { return template.publisherHint }
        return texts[template.identifier]?.hint ?? template.hint
    }
}
