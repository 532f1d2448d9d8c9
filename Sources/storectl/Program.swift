import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

/// From the words of a command line to its exit code.
enum Program {
    static func run(_ words: [String]) async -> ExitCode {
        let words = CommandLineWords.ordered(words)
        do {
            let command = try Storectl.parseAsRoot(words)
            if let command = command as? any StoreCommand { return await run(command) }
            // Only what needs no daemon is no StoreCommand: a fetch, the help of a command that has others below it.
            var other = command
            try other.run()
            return .done
        } catch let error as any CodedError {
            let console = Console(
                program: "storectl", json: false, quiet: false, environment: ProcessInfo.processInfo.environment)
            console.fail(ErrorReport(error))
            return error.code.exitCode
        } catch {
            return end(parsing: error, words)
        }
    }

    private static func run(_ command: any StoreCommand) async -> ExitCode {
        let console = command.common.console
        do {
            return try await Interrupts.cancelling { try await command.run(console) }
        } catch is CancellationError {
            return .interrupted
        } catch let error as ValidationError {
            return usage("\(error)", console, more: nil)
        } catch let failure as FailureWithResults {
            console.warn(failure.report)
            console.document(ResultsDocument<OperationResult>(results: [], error: failure.report))
            return failure.code.exitCode
        } catch {
            let report = ErrorReport(error)
            console.fail(report)
            return report.code.exitCode
        }
    }

    /// A request for help or the version, or a command line that makes no sense.
    private static func end(parsing error: any Error, _ words: [String]) -> ExitCode {
        var error = error
        // The parser calls it an argument too many.
        if let name = words.first, !name.hasPrefix("-"), name != "help", !Storectl.commandNames.contains(name) {
            error = ValidationError("There is no command '\(name)'.")
        }
        let isJSON = CommandLineWords.ask(for: "--json", in: words)
        let console = Console(
            program: "storectl", json: isJSON, quiet: false, environment: ProcessInfo.processInfo.environment)
        let text = Storectl.fullMessage(for: error)
        guard !Storectl.exitCode(for: error).isSuccess else {
            if isJSON, text == Storectl.configuration.version {
                console.document(["version": StoreAPI.programVersion])
            } else {
                console.output.write(text + "\n")
            }
            return .done
        }
        // ArgumentParser's own words end with where to find the command's help.
        let hint = text.split(separator: "\n").last { $0.contains("--help") }
        return usage(
            Storectl.message(for: error), console, more: hint.map { String($0.drop { $0 == " " }) })
    }

    private static func usage(_ message: String, _ console: Console, more: String?) -> ExitCode {
        let message = message.split(separator: "\n").joined(separator: " ")
        console.fail(ErrorReport(code: .usage, message: message))
        if let more { console.errors.write(visible(more) + "\n") }
        return .usage
    }
}

extension ErrorCode {
    /// The command line makes no sense.
    static let usage = ErrorCode("usage.invalid", .usage)
}

/// What has to be known of a command line before it is parsed.
enum CommandLineWords {
    /// The options that every command has may also stand before the command's name, as with `git`; the parser wants
    /// them after it.
    static func ordered(_ words: [String]) -> [String] {
        var rest = words[...]
        var moved: [String] = []
        while let word = rest.first {
            if ["--json", "--quiet", "-q"].contains(word) || word.hasPrefix("--home=") {
                moved.append(rest.removeFirst())
            } else if word == "--home", rest.count > 1 {
                moved += rest.prefix(2)
                rest = rest.dropFirst(2)
            } else {
                break
            }
        }
        guard let command = rest.first, !command.hasPrefix("-"), command != "help" else { return words }
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        return rest[..<end] + moved + rest[end...]
    }

    /// Whether a flag stands among the words, before a `--` that ends the options.
    static func ask(for flag: String, in words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains(flag)
    }
}
