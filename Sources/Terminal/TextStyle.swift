/// A style in which a terminal shows a piece of text, by an escape sequence (ECMA-48, Select Graphic Rendition).
///
/// The colours are those of Cargo's messages, from the 8 colours that the user's terminal defines.
package enum TextStyle: Sendable {
    case error, warning, hint, success, heading

    private var parameters: String {
        switch self {
        case .error: "1;31"
        case .warning: "1;33"
        case .hint: "1;36"
        case .success: "32"
        case .heading: "1"
        }
    }

    /// Returns a text in the style, after which the terminal's style is the default again.
    package func applied(to text: String) -> String { text.isEmpty ? "" : "\u{1B}[\(parameters)m\(text)\u{1B}[0m" }
}

/// The value of the option `--color`: when a command's output is coloured.
package enum ColorChoice: String, Sendable, CaseIterable {
    /// The output is coloured on a terminal, unless `NO_COLOR` (no-color.org) or `TERM=dumb` is set.
    case auto
    case always
    case never

    func isColored(isTerminal: Bool, environment: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && !["", "dumb"].contains(environment["TERM"] ?? "")
        }
    }
}
