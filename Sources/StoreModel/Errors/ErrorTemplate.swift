/// The English text of an error message, with placeholders, and the error code that it belongs to.
///
/// A placeholder is a name in braces, such as `{path}`; ``StoreError`` supplies its value. `{cause}` stands for the
/// message of the error's cause. A template is identified by its code and, where several templates share one code, by a
/// variant name. An ``ErrorTranslations`` of another language replaces its texts. A context is a template
/// without a code: it adds what was being done to the message of a cause.
///
/// Messages begin with a small letter, have no final period, and say what failed, on what, and why. Hints are
/// imperative and say what to do next.
public struct ErrorTemplate: Sendable, Hashable {
    /// The error code of errors with this template; `nil` for a context template, whose errors have their cause's code.
    public let code: ErrorCode?
    /// The name that distinguishes templates of the same error code, or the name of a context; else `nil`.
    public let variant: String?
    /// The text of the error message, with placeholders such as `{path}`.
    public let message: String
    /// The text of the error's hint, which says what to do next; `nil` where there is nothing to do.
    public let hint: String?
    /// The text of the error's hint for the publisher of a pack, which is ``hint`` unless the template says otherwise.
    public let publisherHint: String?

    private init(_ code: ErrorCode?, _ variant: String?, _ message: String, _ hint: String?, _ publisherHint: String?) {
        self.code = code
        self.variant = variant
        self.message = message
        self.hint = hint
        self.publisherHint = publisherHint
    }

    /// Creates the template of an error's message and hint for an error code.
    public init(_ code: ErrorCode, variant: String? = nil, _ message: String, hint: String? = nil) {
        self.init(code, variant, message, hint, hint)
    }

    /// Creates the template of an error whose hint differs between users and publishers.
    public init(_ code: ErrorCode, variant: String? = nil, _ message: String, hint: ErrorHint) {
        self.init(code, variant, message, hint.forUser, hint.forPublisher)
    }

    /// Creates a context template, which adds what was being done to the message of an error's cause.
    ///
    /// An example is `could not install '{product}': {cause}`. An error with a context has the code of its cause, and
    /// the hint of its cause unless the context has a hint.
    public init(context: String, _ message: String, hint: String? = nil) {
        self.init(nil, context, message, hint, hint)
    }

    /// Creates a context template whose hint differs between users and publishers.
    ///
    /// Where there is none for publishers, they see the hint of the error's cause.
    public init(context: String, _ message: String, hint: ErrorHint) {
        self.init(nil, context, message, hint.forUser, hint.forPublisher)
    }

    /// The identifier of this error template: `CODE`, `CODE/VARIANT` or `context/NAME`.
    public var identifier: String {
        guard let variant else { return code?.rawValue ?? "context" }
        return "\(code?.rawValue ?? "context")/\(variant)"
    }

    /// The names of the placeholders in the template's error message and hint, without `cause`.
    public var placeholders: Set<String> {
        let texts = [message] + [hint, publisherHint].compactMap { $0 }
        return Set(texts.flatMap { TemplateText($0).placeholders }).subtracting(["cause"])
    }
}
