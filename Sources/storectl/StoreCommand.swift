import ArgumentParser
import FoundationEssentials
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

/// ArgumentParser has one too, which only carries a number.
typealias ExitCode = StoreModel.ExitCode

/// A command that does something: parsed, then run with what it may say and whom it may ask.
protocol StoreCommand: AsyncParsableCommand, Sendable {
    var common: CommonOptions { get }

    /// - Returns: the exit code of what was said already; what is thrown is said by ``Program``.
    func run(_ console: Console) async throws -> ExitCode
}

extension StoreCommand {
    /// The daemon of the home that the command line names.
    func client(_ starting: StoreClient.Starting = .ifNeeded()) throws -> StoreClient {
        try StoreClient(home: .current(home: common.home), startingDaemon: starting)
    }
}

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Print one JSON document instead of text.")
    var json = false

    @Flag(name: .shortAndLong, help: "Say nothing but results and errors.")
    var quiet = false

    @Option(help: ArgumentHelp("Keep all files under this folder.", valueName: "dir"), completion: .directory)
    var home: String?

    var console: Console {
        Console(program: "storectl", json: json, quiet: quiet, environment: ProcessInfo.processInfo.environment)
    }
}
