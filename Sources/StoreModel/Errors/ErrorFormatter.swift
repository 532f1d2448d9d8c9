public import FoundationEssentials

/// Writes the texts of errors: replaces the placeholders in message and hint templates by the errors' arguments.
///
/// Nothing else in the program writes them.
public struct ErrorFormatter: Sendable {
    /// The formatter that writes error messages and hints in English, from the texts in the templates themselves.
    public static let english = ErrorFormatter(catalogue: ErrorTranslations())
    /// The formatter that writes errors in English for publishers, whose hints differ from those for users.
    public static let publisher = ErrorFormatter(catalogue: ErrorTranslations(), audience: .publisher)

    private let catalogue: ErrorTranslations
    private let audience: ErrorAudience

    /// Creates a formatter that writes errors with the translated texts of a catalogue.
    ///
    /// Where the catalogue lacks a template, the formatter uses the template's English texts.
    public init(catalogue: ErrorTranslations, audience: ErrorAudience = .user) {
        self.catalogue = catalogue
        self.audience = audience
    }

    /// Returns the message of an error: its template's text with the placeholders replaced by the error's arguments.
    ///
    /// A placeholder without an argument remains in the text, so that the omission is noticed.
    public func message(of error: StoreError) -> String {
        text(TemplateText(catalogue.message(of: error.template)), of: error)
    }

    /// Returns an error's hint (what to do next); the hint of its cause, where its template has none, or `nil`.
    public func hint(of error: StoreError) -> String? {
        if let hint = catalogue.hint(of: error.template, for: audience) { return text(TemplateText(hint), of: error) }
        switch error.cause {
        case .error(let cause): return hint(of: cause)
        case .report(let report): return report.hint
        case .system, nil: return nil
        }
    }

    private func text(_ template: TemplateText, of error: StoreError) -> String {
        template.filled { value(of: $0, in: error) }
    }

    private func value(of placeholder: String, in error: StoreError) -> String? {
        if let argument = error[placeholder] { return text(argument) }
        guard placeholder == "cause" else { return nil }
        switch error.cause {
        case .error(let cause): return message(of: cause)
        case .report(let report): return report.message
        case .system(let error): return error.reason
        case nil: return nil
        }
    }

    private func text(_ argument: ErrorArgument) -> String {
        switch argument {
        case .text(let text), .path(let text): text.displayable
        case .untrusted(let text): Self.shortened(text)
        case .count(let count): "\(count)"
        case .bytes(let count): "\(count) \(count == 1 ? "byte" : "bytes")"
        case .size(let bytes): Self.rounded(bytes)
        case .duration(let duration): Self.seconds(duration)
        case .url(let url): url.withoutSecrets.displayable
        case .list(let values): values.map(text).joined(separator: ", ")
        case .permissions(let permissions): permissions.map(\.meaning).joined(separator: ", ")
        case .flag(let flag): "\(flag)"
        }
    }

    /// Returns untrusted text cut to 80 bytes, with `…` after a cut and `�` for every invisible character.
    private static func shortened(_ text: String) -> String {
        let shown = String(decoding: text.utf8.prefix(80), as: UTF8.self).unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
                "\u{FFFD}"
            default: String(scalar)
            }
        }
        return shown.joined() + (text.utf8.count > 80 ? "…" : "")
    }

    /// Returns a number of bytes rounded to a unit that is easy to read, as in messages of errors: `2.5 GB`.
    package static func rounded(_ bytes: Int) -> String {
        var value = Double(bytes)
        var units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"][...]
        while abs(value) >= 999.5, units.count > 1 {
            value /= 1000
            units.removeFirst()
        }
        let tenths = (value * 10).rounded() / 10
        let isWhole = tenths == tenths.rounded() || tenths >= 10
        return isWhole ? "\(Int(value.rounded())) \(units.first ?? "")" : "\(tenths) \(units.first ?? "")"
    }

    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard attoseconds != 0 else { return "\(seconds) s" }
        return "\(Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1000) s"
    }
}

extension URL {
    /// The URL as text without the parts that may be secret: user, password, query and fragment.
    public var withoutSecrets: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return scheme ?? "?" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? scheme ?? "?"
    }
}
