/// The texts of error messages in one language, by the identifiers of their templates.
///
/// The English texts are part of the templates; the English catalogue is therefore empty.
public struct ErrorTranslations: Sendable {
    /// The message and hint that replace those of one template.
    public struct Texts: Sendable, Hashable {
        /// The message, with the same placeholders as the template's.
        public var message: String
        /// The hint, with the same placeholders as the template's; `nil` where there is nothing to do.
        public var hint: String?

        /// Creates the texts of one template.
        public init(message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }
    }

    private let texts: [String: Texts]

    /// Creates a catalogue.
    ///
    /// - Parameter texts: the texts by ``ErrorTemplate/identifier``.
    public init(_ texts: [String: Texts] = [:]) { self.texts = texts }

    func message(of template: ErrorTemplate) -> String { texts[template.identifier]?.message ?? template.message }

    func hint(of template: ErrorTemplate) -> String? { texts[template.identifier]?.hint ?? template.hint }
}
