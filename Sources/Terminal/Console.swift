import FoundationEssentials
package import StoreModel

/// The one way out for everything that a command has to say. Text for people is made harmless here (``visible(_:)``),
/// documents go to standard output, everything beside the result goes to standard error.
package struct Console: Sendable {
    /// Stands before what goes to standard error.
    private let program: String
    /// `--json`: one document on standard output instead of text.
    package let json: Bool
    /// `--quiet`: no progress and no remarks; results and errors only.
    package let quiet: Bool
    package let output: Screen
    package let errors: Screen

    package init(program: String, json: Bool, quiet: Bool, environment: [String: String]) {
        self.program = program
        self.json = json
        self.quiet = quiet
        output = Screen(descriptor: 1, environment: environment)
        errors = Screen(descriptor: 2, environment: environment)
    }

    /// A line of the result.
    package func line(_ text: String) { output.write(visible(text) + "\n") }

    package func lines(_ texts: [String]) {
        guard !texts.isEmpty else { return }
        output.write(texts.map(visible).joined(separator: "\n") + "\n")
    }

    /// A table, cut to the terminal's width; whole where it goes into a file or a pipe.
    package func table(_ table: Table) {
        lines(table.lines(width: output.isTerminal ? output.size.width : nil))
    }

    /// A line of the result that only says that it was done.
    package func confirmation(_ text: String) { if !quiet { line(text) } }

    /// Something worth knowing that is not the result.
    package func remark(_ text: String) { if !quiet { errors.write(visible(text) + "\n") } }

    /// Something that went wrong without being the end.
    package func warn(_ text: String) { errors.write("\(program): " + visible(text) + "\n") }

    /// Writes an error's message, and its hint on a line of its own.
    package func warn(_ report: ErrorReport, about name: String? = nil) {
        warn((name.map { "\($0): " } ?? "") + report.message)
        if let hint = report.hint { errors.write("hint: " + visible(hint) + "\n") }
    }

    /// A failure: on standard error for people, with `--json` also as a document on standard output.
    package func fail(_ report: ErrorReport) {
        warn(report)
        if json { document(FailureDocument(error: report)) }
    }

    /// A document on standard output, on one line.
    package func document(_ value: some Encodable) {
        do {
            let data = try JSON.encode(value)
            output.write(harmlessJSON(String(decoding: data, as: UTF8.self)) + "\n")
        } catch {
            warn(ErrorReport(error))
        }
    }
}

/// `{"error":{"code","message"}}`.
package struct FailureDocument: Encodable {
    var error: ErrorReport
}

/// JSON escapes the control characters below U+0020 by itself; those from U+007F to U+009F it may leave as they are,
/// and a terminal may act upon them. They only stand in strings, where an escape means the same.
package func harmlessJSON(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: { (0x7F...0x9F).contains($0.value) }) else { return json }
    var shown = ""
    for scalar in json.unicodeScalars {
        if (0x7F...0x9F).contains(scalar.value) {
            shown += "\\u00" + String(scalar.value, radix: 16)
        } else {
            shown.unicodeScalars.append(scalar)
        }
    }
    return shown
}
