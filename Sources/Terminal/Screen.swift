import StoreSystem

/// What a descriptor leads to, and what it can show. There are no colours, which `NO_COLOR` (no-color.org) asks for.
package struct Screen: Sendable {
    package let descriptor: Int32
    package let isTerminal: Bool
    /// Lines can be drawn again in place. `TERM=dumb` says that they can't.
    package let canRedraw: Bool

    package init(descriptor: Int32, environment: [String: String], isTerminal: Bool? = nil) {
        self.descriptor = descriptor
        let isTerminal = isTerminal ?? FileDescriptor(rawValue: descriptor).isTerminal
        self.isTerminal = isTerminal
        let term = environment["TERM"] ?? ""
        canRedraw = isTerminal && term != "dumb" && !term.isEmpty
    }

    /// Columns and lines, which change while a program runs.
    package var size: (width: Int, height: Int) {
        FileDescriptor(rawValue: descriptor).terminalSize.map { ($0.columns, $0.lines) } ?? (80, 24)
    }

    /// Writes all of `text`. Nobody is left to tell of an output that can't be written, so that the program ends with
    /// its exit code for failures.
    package func write(_ text: String) {
        do {
            try FileDescriptor(rawValue: descriptor).writeAll(text)
        } catch {
            if descriptor != FileDescriptor.standardError.rawValue {
                let errors = Screen(descriptor: FileDescriptor.standardError.rawValue, environment: [:])
                errors.write("The output can't be written: \(error.errno).\n")
            }
            CurrentProcess.exit(1)
        }
    }
}
