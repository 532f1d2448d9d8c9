import StoreSystem

/// The standard output or standard error of a command, with whether it is a terminal that can redraw lines.
///
/// Nothing is printed in colour, so that `NO_COLOR` (no-color.org) is honoured.
package struct TerminalOutput: Sendable {
    package let descriptor: Int32
    package let isTerminal: Bool
    /// Whether lines can be redrawn in place: `false` if the output is no terminal, or `TERM` is `dumb`, empty or unset.
    package let canRedraw: Bool

    package init(descriptor: Int32, environment: [String: String], isTerminal: Bool? = nil) {
        self.descriptor = descriptor
        let isTerminal = isTerminal ?? FileDescriptor(rawValue: descriptor).isTerminal
        self.isTerminal = isTerminal
        let term = environment["TERM"] ?? ""
        canRedraw = isTerminal && term != "dumb" && !term.isEmpty
    }

    /// The terminal's current size in columns and lines; 80 × 24 if unknown.
    package var size: (width: Int, height: Int) {
        FileDescriptor(rawValue: descriptor).terminalSize.map { ($0.columns, $0.lines) } ?? (80, 24)
    }

    /// Writes a text completely to the file descriptor.
    ///
    /// A failure to write ends the program with exit code 1, because no command can continue without its output.
    package func write(_ text: String) {
        do {
            try FileDescriptor(rawValue: descriptor).writeAll(text)
        } catch {
            if descriptor != FileDescriptor.standardError.rawValue {
                let errors = TerminalOutput(descriptor: FileDescriptor.standardError.rawValue, environment: [:])
                errors.write("error: could not write the output: \(error.errno)\n")
            }
            CurrentProcess.exit(1)
        }
    }
}
