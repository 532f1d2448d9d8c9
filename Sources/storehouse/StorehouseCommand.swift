import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreModel
import StoreSystem
import StoreTerminal

/// The publisher's tool `storehouse`: parses the arguments, runs a command, and exits with a documented code.
///
/// The commands use the module Publishing.
@main
struct StorehouseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storehouse",
        abstract: "Create and publish a store of sticker packs, skins, emoji sets and plugins",
        discussion: """
            A store is a directory. Its subdirectory 'public' contains the static files for a web server. Changes become \
            visible to clients with 'storehouse publish'.

            Examples:
              storehouse init mystore
              storehouse add mystore packs/cups packs/cats
              storehouse publish mystore
              storehouse key init mystore

            'storehouse --version' prints the version.

            Exit codes: 0 success, 1 the agent for signatures failed, 2 usage error, 3 no such store, product or key, \
            5 rejected, 6 no space left, 7 conflict or missing signatures, 10 partial failure.
            """,
        subcommands: [
            Init.self, Add.self, List.self, Price.self, Withdraw.self, Publish.self, Serve.self, Check.self,
            EmojiCommand.self, Key.self, Sign.self, Renew.self, Publisher.self,
        ])

    static func main() async {
        CurrentProcess.exit(await execute(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the command that the arguments name, and returns the code with which the process exits.
    private static func execute(_ arguments: [String]) async -> Int32 {
        // The parser's own option --version would conflict with the option of the same name of 'add'.
        if arguments == ["--version"] {
            Output.console.line("storehouse \(StoreAPI.programVersion)")
            return StoreModel.ExitCode.done.rawValue
        }
        do {
            var command = try parse(commandLine: NegativeNumbers.separated(arguments))
            try await perform(&command)
            return StoreModel.ExitCode.done.rawValue
        } catch let error as ArgumentParser.ExitCode {
            return error.rawValue
        } catch let error as any CodedError {
            Output.console.fail(ErrorReport(error, formatter: .publisher))
            return error.code.exitCode.rawValue
        } catch {
            // ArgumentParser reports an unknown command as an unexpected argument, and never for 'help'.
            if let unknown = UnknownCommand(in: arguments, of: StorehouseCommand.self) {
                Output.console.usageError(
                    "no such command '\(unknown.name)'", help: unknown.help, hint: unknown.suggestion)
                return StoreModel.ExitCode.usage.rawValue
            }
            // Requests for help and for the version are also errors of the parser.
            guard exitCode(for: error) != .success else {
                Output.console.output.write(fullMessage(for: error) + "\n")
                return StoreModel.ExitCode.done.rawValue
            }
            Output.console.usageError(message(for: error), help: UnknownCommand.help(in: fullMessage(for: error)))
            return StoreModel.ExitCode.usage.rawValue
        }
    }
}

extension StorehouseCommand {
    /// Runs a command whose arguments were parsed.
    ///
    /// - Throws: an error of the command with a code, so that none is taken for one of the parser, which is a usage error;
    ///   the parser's own errors and requests, such as that for help, as they are.
    private static func perform(_ command: inout any ParsableCommand) async throws {
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error as ArgumentParser.ExitCode {
            throw error
        } catch  where exitCode(for: error) == .failure {
            throw ErrorReport(error, formatter: .publisher)
        }
    }
}

/// The first argument of every command of the publisher's tool: the path of the store's directory.
struct StoreArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Directory of the store", valueName: "dir"), completion: .directory)
    var path: String
}
