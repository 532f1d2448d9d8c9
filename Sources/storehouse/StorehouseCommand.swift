import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreModel
import StoreSystem

/// The publisher's tool: arguments in, one call into Publishing, an exit code out.
@main
struct StorehouseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storehouse",
        abstract: "Makes a store of sticker packs, skins, emoji sets and plugins out of folders.",
        discussion: """
            A store is a folder. What clients are to be served is its subfolder 'public': static files for any web \
            server. Nothing that you add is seen by clients before you publish.

              storehouse init mystore
              storehouse add mystore packs/cups packs/cats
              storehouse publish mystore

            'storehouse --version' says which one this is.

            Exit codes: 0 done, 2 wrong usage, 3 no such store or product, 5 refused, 6 no space, 7 conflict, \
            10 some of several failed.
            """,
        subcommands: [
            Init.self, Add.self, List.self, Price.self, Withdraw.self, Publish.self, Serve.self, Check.self,
        ])

    static func main() async {
        // The parser's own would stand in the help of every command, also beside the version of a pack.
        if CommandLine.arguments.dropFirst() == ["--version"] { return print(StoreAPI.programVersion) }
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error as ArgumentParser.ExitCode {
            CurrentProcess.exit(error.rawValue)
        } catch let error as any CodedError {
            fail(error)
        } catch {
            // Help and the version are asked for by what the parser calls errors, too.
            let text = fullMessage(for: error)
            guard exitCode(for: error) != .success else {
                print(text)
                return
            }
            if wantsJSON { Output.printError(code: "usage", message: message(for: error)) }
            Output.warn("storehouse: " + (text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text))
            CurrentProcess.exit(StoreModel.ExitCode.usage.rawValue)
        }
    }

    private static func fail(_ error: any CodedError) -> Never {
        if wantsJSON { Output.printError(code: error.code.word, message: error.message) }
        Output.warn("storehouse: \(error.message)" + (error.hint.map { "\nhint: \($0)" } ?? ""))
        CurrentProcess.exit(error.code.exitCode.rawValue)
    }

    /// Looked for in the arguments themselves, as wrong ones have no other place to be found.
    private static var wantsJSON: Bool { CommandLine.arguments.prefix { $0 != "--" }.contains("--json") }
}

/// The folder of a store, as every command names it first.
struct StoreArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The store's folder.", valueName: "dir"), completion: .directory)
    var path: String
}
