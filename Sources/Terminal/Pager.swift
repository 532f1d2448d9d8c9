import StoreSystem

/// The program that shows output which does not fit on the terminal, such as `less`.
package struct Pager: Sendable, Equatable {
    /// The shell command that runs the pager.
    package let command: String
    /// The environment variables that the pager gets in addition to those of this process.
    let variables: [String: String]

    /// The options of less: end if the text fits on the screen, show colours, and leave the text on the screen.
    private static let options = "FRX"

    /// Selects the pager that the environment names: `STORECTL_PAGER`, else `PAGER`, else `less -FRX`.
    ///
    /// - Returns: `nil` if the first of them is empty or `cat`, or if none names a pager and less is not installed.
    package init?(environment: [String: String]) {
        if let command = environment["STORECTL_PAGER"] ?? environment["PAGER"] {
            guard !["", "cat"].contains(command.filter { $0 != " " }) else { return nil }
            self.command = command
        } else {
            guard InstalledProgram.find("less", environment: environment) != nil else { return nil }
            command = "less -\(Self.options)"
        }
        // As git does: without the option -R, less shows escape sequences instead of colours.
        var variables = environment["LESS"] == nil ? ["LESS": Self.options] : [:]
        // In the C locale, less shows each byte of other characters than those of ASCII as a number.
        if environment["LESSCHARSET"] == nil { variables["LESSCHARSET"] = "utf-8" }
        self.variables = variables
    }

    /// Shows a text, and returns when the user has left the pager.
    ///
    /// - Returns: whether the pager could be run.
    func show(_ text: String) -> Bool {
        guard let code = try? ShellCommand.run(command, input: text, variables: variables) else { return false }
        // The shell's codes for a command that was not found or can't be executed.
        return ![126, 127].contains(code)
    }
}
