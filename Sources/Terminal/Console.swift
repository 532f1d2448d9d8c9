import FoundationEssentials
package import StoreMessages
package import StoreModel
import Synchronization

/// The console of a command: prints results on standard output, everything else on standard error.
///
/// Text from stores may contain escape sequences, so every line is made safe to display (`displayable`).
package struct Console: Sendable {
    /// Whether the option `--json` was given: the command prints one JSON document instead of text.
    package let json: Bool
    /// Whether the option `--quiet` was given: the command prints only results, warnings and errors.
    package let quiet: Bool
    package let output: TerminalOutput
    package let errors: TerminalOutput
    /// The language of the texts for people.
    package let language: Language
    /// The program that shows long results on a terminal; `nil` if they are printed.
    private let pager: Pager?
    private let lastHint = LastHint()

    /// Creates the console of a command.
    ///
    /// - Parameters:
    ///   - usesPager: whether results that do not fit on the terminal are shown by a pager.
    ///   - language: the language of the texts that the command prints.
    package init(
        json: Bool, quiet: Bool, color: ColorChoice = .auto, usesPager: Bool = false, language: Language = .english,
        environment: [String: String]
    ) {
        self.json = json
        self.quiet = quiet
        self.language = language
        output = TerminalOutput(descriptor: 1, environment: environment, color: color)
        errors = TerminalOutput(descriptor: 2, environment: environment, color: color)
        pager = usesPager && !json && output.isTerminal ? Pager(environment: environment) : nil
    }

    /// The texts for people in the language of the user, whose file is read when the first of them is needed.
    package var messages: Messages { .of(language) }

    // MARK: Results

    /// Prints a line of the command's result on standard output.
    package func line(_ text: String) { output.write(text.displayable + "\n") }

    /// Prints text of the command's result on standard output, wrapped at words if the output is a terminal.
    ///
    /// - Parameter indentation: the number of spaces before the second and each further line.
    package func paragraph(_ text: String, indentation: Int = 0) {
        let lines = text.displayable.wrapped(
            to: output.messageWidth, indentation: indentation, keepsQuotations: true)
        output.write(lines.joined(separator: "\n") + "\n")
    }

    /// Prints lines of the command's result on standard output, or shows them in the pager.
    package func lines(_ texts: [String]) { page(texts.map(\.displayable)) }

    /// Prints lines that are safe to display; on a terminal with fewer lines the pager shows them.
    private func page(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        let text = lines.joined(separator: "\n") + "\n"
        if let pager, fills(output.size, lines), pager.show(text) { return }
        output.write(text)
    }

    /// Returns whether lines do not fit on a terminal together with the shell's prompt.
    private func fills(_ size: (width: Int, height: Int), _ lines: [String]) -> Bool {
        lines.reduce(0) { $0 + max(1, ($1.columns + size.width - 1) / size.width) } >= size.height
    }

    /// Prints a document of several lines, such as a style sheet.
    ///
    /// A file or another program gets it unchanged; on a terminal each line is made safe to display.
    package func text(_ text: String) {
        guard !output.isTerminal else {
            return page(Self.displayableLines(text.hasSuffix("\n") ? String(text.dropLast()) : text))
        }
        output.write(text.hasSuffix("\n") ? text : text + "\n")
    }

    /// Returns the lines of a text, safe to display on a terminal.
    static func displayableLines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).displayable }
    }

    /// Prints a table, or shows it in the pager; on a terminal, lines are truncated to the terminal's width.
    package func table(_ table: Table) {
        page(table.lines(width: output.isTerminal ? output.size.width : nil, isColored: output.isColored))
    }

    /// Prints a sentence that confirms a change, wrapped at words on a terminal; suppressed by `--quiet`.
    package func confirmation(_ text: String) { if !quiet { output.write(wrapped(text, for: output) + "\n") } }

    /// Prints a value as a JSON document on one line of standard output.
    package func document(_ value: some Encodable) {
        do {
            let data = try JSON.encode(value)
            output.write(escapingControlCharacters(String(decoding: data, as: UTF8.self)) + "\n")
        } catch {
            self.error(ErrorReport(error))
        }
    }

    // MARK: Messages on standard error

    /// Prints a remark that is not part of the result on standard error; suppressed by `--quiet`.
    package func note(_ text: String) { if !quiet { errors.write(wrapped(text, for: errors) + "\n") } }

    /// Prints a question on standard error, and leaves the cursor behind it for the answer.
    package func question(_ text: String) { errors.write(wrapped(text, for: errors) + " ") }

    /// Prints `warning: …` on standard error, for a problem after which the command continues.
    ///
    /// - Parameter text: a text in the user's language, or an English one of the daemon, which is translated.
    package func warning(_ text: String) {
        message(messages.text("warning:"), .warning, messages.translation(of: text))
    }

    /// Prints `hint: …` on standard error, with advice for the user.
    ///
    /// - Parameter text: a text in the user's language, or an English one of an error, which is translated.
    package func hint(_ text: String) { message(messages.text("hint:"), .hint, messages.translation(of: text)) }

    /// Prints an error on standard error: `error: …` and, if the error has one, `hint: …`.
    ///
    /// Of errors with the same hint one after the other, the first prints it.
    ///
    /// - Parameters:
    ///   - report: the error, whose English texts are translated.
    ///   - items: the names of the items that failed, which are printed before the message; `nil` for none.
    package func error(_ report: ErrorReport, of items: String? = nil) {
        let text = messages.translation(of: report.message)
        message(messages.text("error:"), .error, items.map { "\($0): \(text)" } ?? text)
        if let hint = lastHint.replace(with: report.hint) { self.hint(hint) }
    }

    /// Prints an error on standard error and, with `--json`, the JSON document `{"error":{…}}` on standard output.
    package func fail(_ report: ErrorReport) {
        error(report)
        if json { document(FailureDocument(error: report)) }
    }

    /// Prints the error of an invalid command line.
    ///
    /// - Parameters:
    ///   - message: may be a sentence of the argument parser, which begins with a capital letter.
    ///   - help: the command that prints help, for the hint; `nil` for no hint.
    ///   - hint: another hint than the one to read the help.
    package func usageError(_ message: String, help: String?, hint: String? = nil) {
        let hint = hint ?? help.map { EnglishText.filled("see '{command}'", ["command": $0]) }
        fail(ErrorReport(code: .usage, message: UsageMessage.text(message), hint: hint))
    }

    private func message(_ label: String, _ style: TextStyle, _ text: String) {
        let lines = wrapped(label + " " + text, for: errors)
        errors.write(errors.styled(label, style) + lines.dropFirst(label.count) + "\n")
    }

    /// Returns a message that is safe to display, wrapped at words if the output is a terminal.
    ///
    /// A terminal itself would break identifiers, paths and commands anywhere.
    private func wrapped(_ text: String, for output: TerminalOutput) -> String {
        text.displayable.wrapped(to: output.messageWidth, keepsQuotations: true).joined(separator: "\n")
    }
}

/// The hint of the error that was printed last.
private final class LastHint: Sendable {
    private let hint = Mutex<String?>(nil)

    /// Replaces the hint, and returns the new one if it is another one.
    func replace(with new: String?) -> String? {
        hint.withLock { hint in
            defer { hint = new }
            return hint == new ? nil : new
        }
    }
}

extension ErrorReport {
    /// Returns the error with the name of the item that it concerns, and a colon, before the message.
    package func prefixed(with name: String) -> ErrorReport {
        ErrorReport(
            code: code, message: "\(name): \(message)", hint: hint, permissions: permissions,
            requestingProduct: requestingProduct, rootFingerprint: rootFingerprint)
    }
}

/// A namespace for converting messages of the argument parser to the style of all other messages.
enum UsageMessage {
    /// Returns a message of the argument parser on one line, with a lower-case first letter and without the period.
    static func text(_ message: String) -> String {
        var text = message.split(separator: "\n").joined(separator: " ")[...]
        if text.hasPrefix("Error: ") { text = text.dropFirst(7) }
        if text.hasSuffix(".") { text = text.dropLast() }
        text = withoutFarSuggestion(text)
        guard let first = text.first, text.dropFirst().first?.isLowercase == true else { return String(text) }
        return first.lowercased() + text.dropFirst()
    }

    /// Returns a message such as `Unknown option '--jsn'. Did you mean '--json'?` without an option that is not similar.
    ///
    /// The parser names options that differ in up to three characters, which may be all.
    private static func withoutFarSuggestion(_ text: Substring) -> Substring {
        let names = text.split(separator: "'", omittingEmptySubsequences: false)
        guard names.count == 5, let question = text.firstRange(of: ". Did you mean '") else { return text }
        let (typed, meant) = (names[1].drop { $0 == "-" }, names[3].drop { $0 == "-" })
        return Suggestion.distance(String(typed), String(meant)) == nil ? text[..<question.lowerBound] : text
    }
}

/// The JSON document that reports an error: `{"error":{"code","message","hint"}}`.
package struct FailureDocument: Encodable {
    var error: ErrorReport
}

/// Returns JSON text in which the control characters U+007F to U+009F are escaped.
///
/// The encoder escapes only those below U+0020. A terminal may act on the others; they occur only in strings, where the
/// escape sequence means the same.
package func escapingControlCharacters(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: { (0x7F...0x9F).contains($0.value) }) else { return json }
    var escaped = ""
    for scalar in json.unicodeScalars {
        if (0x7F...0x9F).contains(scalar.value) {
            escaped += "\\u00" + String(scalar.value, radix: 16)
        } else {
            escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
