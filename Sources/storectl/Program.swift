import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreMessages
import StoreModel
import StoreTerminal

/// A namespace for the entry point of the command line, which runs a command and returns its exit code.
enum Program {
    static func run(_ words: [String]) async -> ExitCode {
        let words = CommandLineWords.ordered(words)
        do {
            // Completions ask the daemon, so that the parser waits for them.
            let command = try await Storectl.asyncParse(commandLine: words)
            if let command = command as? any StoreCommand { return await run(command) }
            // Commands that need no daemon are not StoreCommands: 'fetch', and those that only have subcommands.
            var other = command
            try other.run()
            return .done
        } catch let error as any CodedError {
            let console = console(for: words, json: CommandLineWords.contain("--json", in: words))
            console.fail(ErrorReport(error))
            return error.code.exitCode
        } catch {
            return end(parsing: error, words)
        }
    }

    private static func run(_ command: any StoreCommand) async -> ExitCode {
        let console = command.common.console
        do {
            try command.requireStoreName()
            return try await Interrupts.cancelling { try await command.run(console) }
        } catch is CancellationError {
            return .interrupted
        } catch let error as ValidationError {
            console.usageError("\(error)", help: nil)
            return .usage
        } catch let failure as FailureWithResults {
            console.error(failure.report)
            console.document(ResultsDocument<OperationResult>(results: [], error: failure.report))
            return failure.code.exitCode
        } catch {
            let report = await command.clarify(ErrorReport(error))
            console.fail(report)
            return report.code.exitCode
        }
    }

    /// Creates the console for the error of a command line that can't be parsed.
    private static func console(for words: [String], json: Bool) -> Console {
        let environment = ProcessInfo.processInfo.environment
        return Console(
            json: json, quiet: false, color: CommandLineWords.color(in: words),
            language: Language(environment: environment), environment: environment)
    }

    /// Prints help, the version, or the error of an invalid command line.
    private static func end(parsing error: any Error, _ words: [String]) -> ExitCode {
        let isJSON = CommandLineWords.contain("--json", in: words)
        let console = console(for: words, json: isJSON)
        // ArgumentParser reports an unknown command as an unexpected argument, and never for 'help'.
        if let unknown = UnknownCommand(in: words, of: Storectl.self) {
            console.usageError(
                EnglishText.filled("no such command '{command}'", ["command": unknown.name]), help: unknown.help,
                hint: unknown.suggestion)
            return .usage
        }
        let text = Storectl.fullMessage(for: error)
        guard !Storectl.exitCode(for: error).isSuccess else {
            if isJSON, text == Storectl.configuration.version {
                console.document(["version": StoreAPI.programVersion])
            } else {
                console.output.write(text + "\n")
            }
            return .done
        }
        let unsupported = UnsupportedOption(in: words)
        console.usageError(
            unsupported?.message ?? Storectl.message(for: error), help: UnknownCommand.help(in: text),
            hint: unsupported?.hint)
        return .usage
    }
}

/// A namespace of functions that prepare the command line's words for the parser.
enum CommandLineWords {
    /// Returns the command line's words with common options moved from before the command's name to the end.
    ///
    /// The parser expects them there.
    ///
    /// As with `git`, the options may be in both places.
    static func ordered(_ words: [String]) -> [String] {
        var rest = words[...]
        let moved = removeCommonOptions(from: &rest)
        if let group = groupAlone(rest) { return group }
        guard let command = rest.first, !command.hasPrefix("-") else { return words }
        if command == "help" {
            // This command is the parser's own, which knows no common options. They have no effect on it.
            var help = [command]
            rest = rest.dropFirst()
            while true {
                removeCommonOptions(from: &rest)
                guard let word = rest.popFirst() else { return help }
                help.append(word)
            }
        }
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        let ordered = rest[..<end] + moved
        // 'fetch' passes its words on to another program.
        let words = Array(ordered + rest[end...])
        return command == "fetch" ? words : NegativeNumbers.separated(words)
    }

    /// Returns the words without common options if they name only a group of commands, such as `store`, or are empty; `nil` if a
    /// command of the group follows, or another word.
    ///
    /// The parser then prints the group's help. It knows the common options only for commands that are no groups.
    private static func groupAlone(_ words: ArraySlice<String>) -> [String]? {
        var (command, rest): (any ParsableCommand.Type, _) = (Storectl.self, words)
        while let next = rest.first.flatMap({ command.subcommand(named: $0) }) {
            command = next
            rest.removeFirst()
        }
        let names = Array(words[..<rest.startIndex])
        removeCommonOptions(from: &rest)
        let configuration = command.configuration
        let isGroup = !configuration.subcommands.isEmpty && configuration.defaultSubcommand == nil
        return isGroup && rest.isEmpty ? names : nil
    }

    /// Removes the common options at the beginning of the words, and returns them.
    @discardableResult
    private static func removeCommonOptions(from words: inout ArraySlice<String>) -> [String] {
        var removed: [String] = []
        while let word = words.first {
            if ["--json", "--quiet", "-q", "--no-pager"].contains(word)
                || ["--home=", "--color="].contains(where: word.hasPrefix)
            {
                removed.append(words.removeFirst())
            } else if ["--home", "--color"].contains(word), words.count > 1 {
                removed += words.prefix(2)
                words = words.dropFirst(2)
            } else {
                break
            }
        }
        return removed
    }

    /// Returns the value of the option `--color`, for the errors of a command line that can't be parsed.
    static func color(in words: [String]) -> ColorChoice {
        let options = words.prefix { $0 != "--" }
        for (index, word) in options.enumerated() {
            let value =
                word == "--color"
                ? options.dropFirst(index + 1).first : word.split(separator: "=").last.map(String.init)
            guard word == "--color" || word.hasPrefix("--color="), let value else { continue }
            return ColorChoice(rawValue: value) ?? .auto
        }
        return .auto
    }

    /// Returns whether the command line's words contain a flag before a `--`, which ends the options.
    static func contain(_ flag: String, in words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains(flag)
    }
}
