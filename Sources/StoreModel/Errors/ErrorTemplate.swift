/// The English text of an error message, with placeholders, and the error code that it belongs to.
///
/// A placeholder is a name in braces, such as `{path}`; ``StoreError`` supplies its value. `{cause}` stands for the
/// message of the error's cause. A template is identified by its code and, where several templates share one code, by a
/// variant name, so that a ``ErrorTranslations`` of another language can replace its texts. A context is a template
/// without a code: it adds what was being done to the message of a cause.
///
/// Messages begin with a small letter, have no final period, and say what failed, on what, and why. Hints are
/// imperative and say what to do next.
public struct ErrorTemplate: Sendable, Hashable {
    /// The code of errors with this template; `nil` for a context, whose errors have the code of their cause.
    public let code: ErrorCode?
    /// The name that distinguishes templates of the same code, or the name of a context.
    public let variant: String?
    /// The text of the error message, with placeholders.
    public let message: String
    /// The text that says what to do next; `nil` where there is nothing to do.
    public let hint: String?

    /// Creates the template of an error that has its own code.
    public init(_ code: ErrorCode, variant: String? = nil, _ message: String, hint: String? = nil) {
        self.code = code
        self.variant = variant
        self.message = message
        self.hint = hint
    }

    /// Creates a context: a template that adds what was being done to the message of a cause.
    ///
    /// An example is `could not install '{product}': {cause}`. An error with a context has the code of its cause, and
    /// the hint of its cause unless the context has a hint.
    public init(context: String, _ message: String, hint: String? = nil) {
        code = nil
        variant = context
        self.message = message
        self.hint = hint
    }

    /// The key of the template's texts in a ``ErrorTranslations``: `CODE`, `CODE/VARIANT` or `context/NAME`.
    public var identifier: String {
        guard let variant else { return code?.rawValue ?? "context" }
        return "\(code?.rawValue ?? "context")/\(variant)"
    }

    /// The names of the placeholders in the message and the hint, without `cause`.
    public var placeholders: Set<String> {
        let names = TemplateText(message).placeholders + (hint.map { TemplateText($0).placeholders } ?? [])
        return Set(names).subtracting(["cause"])
    }
}
