package import ArgumentParser
import StoreModel

/// A word in the position of a command's name that names no command.
package struct UnknownCommand: Equatable {
    /// The command as it was typed, with the commands before it, such as `store ad`.
    package let name: String
    /// The command that lists the commands which may stand there.
    package let help: String
    /// The hint that names a similar command or, for the command `version`, the option; `nil` if there is none.
    package let suggestion: String?

    /// Finds the first word of a command line that is no command; `nil` if each is one, or `help` is requested.
    ///
    /// - Parameters:
    ///   - words: the words of the command line. An option before the name of a command ends the search.
    ///   - program: the program's command, to which its other commands belong.
    package init?(in words: [String], of program: any ParsableCommand.Type) {
        var command = program
        var path: [String] = []
        // 'help COMMAND' is parsed like 'COMMAND --help'.
        for word in words.first == "help" ? words.dropFirst() : words[...] {
            let configuration = command.configuration
            let commands = configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            if let next = command.subcommand(named: word) {
                path.append(word)
                command = next
                continue
            }
            let names = commands.flatMap { $0.names }
            name = (path + [word]).joined(separator: " ")
            help = ([program._commandName] + path + ["--help"]).joined(separator: " ")
            suggestion =
                path.isEmpty && word == "version"
                ? EnglishText.filled("run '{command}'", ["command": "\(program._commandName) --version"])
                : Suggestion.best(for: word, among: names).map(Suggestion.hint)
            return
        }
        return nil
    }

    /// Returns the command whose help the argument parser's text of an error names, such as `storectl list --help`.
    ///
    /// The text ends with a line such as "See 'storectl list --help' for more information."
    package static func help(in text: String) -> String? {
        text.split(separator: "\n").last { $0.contains("--help") }
            .flatMap { $0.split(separator: "'").dropFirst().first }.map(String.init)
    }
}

extension ParsableCommand {
    /// The name of the command and its aliases.
    fileprivate static var names: [String] { [_commandName] + configuration.aliases }

    /// Returns the command that a word names among those of this command; `nil` if there is none.
    package static func subcommand(named name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.names.contains(name) }
    }
}
