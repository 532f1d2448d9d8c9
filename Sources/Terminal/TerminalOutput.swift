import StoreSystem

/// The standard output or standard error of a command, with whether it can redraw lines and show colours.
package struct TerminalOutput: Sendable {
    package let descriptor: Int32
    package let isTerminal: Bool
    /// Whether lines can be redrawn in place: `false` if the output is no terminal, or `TERM` is `dumb`, empty or unset.
    package let canRedraw: Bool
    /// Whether texts are written in the colours of their styles.
    package let isColored: Bool

    package init(
        descriptor: Int32, environment: [String: String], color: ColorChoice = .auto, isTerminal: Bool? = nil
    ) {
        self.descriptor = descriptor
        let isTerminal = isTerminal ?? FileDescriptor(rawValue: descriptor).isTerminal
        self.isTerminal = isTerminal
        let term = environment["TERM"] ?? ""
        canRedraw = isTerminal && term != "dumb" && !term.isEmpty
        isColored = color.isColored(isTerminal: isTerminal, environment: environment)
    }

    /// Returns a text in a style if the output is coloured, else the text itself.
    package func styled(_ text: String, _ style: TextStyle) -> String { isColored ? style.applied(to: text) : text }

    /// The terminal's current size in columns and lines; 80 × 24 if unknown.
    package var size: (width: Int, height: Int) {
        FileDescriptor(rawValue: descriptor).terminalSize.map { ($0.columns, $0.lines) } ?? (80, 24)
    }

    /// The width to which messages are wrapped, in columns; `nil` if the output is no terminal or its width is unknown.
    package var messageWidth: Int? {
        isTerminal ? FileDescriptor(rawValue: descriptor).terminalSize?.columns : nil
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
