import FoundationEssentials
import StoreModel

/// The one way out for everything that a command has to say. Text for people is made harmless here (``visible(_:)``),
/// documents go to standard output, everything beside the result goes to standard error.
struct Console: Sendable {
    /// `--json`: one document on standard output instead of text.
    let json: Bool
    /// `--quiet`: no progress and no remarks; results and errors only.
    let quiet: Bool
    let output: Screen
    let errors: Screen

    init(json: Bool, quiet: Bool, environment: [String: String]) {
        self.json = json
        self.quiet = quiet
        output = Screen(descriptor: 1, environment: environment)
        errors = Screen(descriptor: 2, environment: environment)
    }

    /// A line of the result.
    func line(_ text: String) { output.write(visible(text) + "\n") }

    func lines(_ texts: [String]) {
        guard !texts.isEmpty else { return }
        output.write(texts.map(visible).joined(separator: "\n") + "\n")
    }

    /// A table, cut to the terminal's width; whole where it goes into a file or a pipe.
    func table(_ table: Table) {
        lines(table.lines(width: output.isTerminal ? output.size.width : nil))
    }

    /// A line of the result that only says that it was done.
    func confirmation(_ text: String) { if !quiet { line(text) } }

    /// Something worth knowing that is not the result.
    func remark(_ text: String) { if !quiet { errors.write(visible(text) + "\n") } }

    /// Something that went wrong without being the end.
    func warn(_ text: String) { errors.write("storectl: " + visible(text) + "\n") }

    /// A failure: on standard error for people, with `--json` also as a document on standard output.
    func fail(_ report: ErrorReport) {
        warn(report.message)
        if json { document(FailureDocument(error: report)) }
    }

    /// A document on standard output, on one line.
    func document(_ value: some Encodable) {
        do {
            let data = try JSON.encode(value)
            output.write(harmlessJSON(String(decoding: data, as: UTF8.self)) + "\n")
        } catch {
            warn(ErrorReport(error).message)
        }
    }
}

/// `{"error":{"code","message"}}`.
struct FailureDocument: Encodable {
    var error: ErrorReport
}

/// JSON escapes the control characters below U+0020 by itself; those from U+007F to U+009F it may leave as they are,
/// and a terminal may act upon them. They only stand in strings, where an escape means the same.
func harmlessJSON(_ json: String) -> String {
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
