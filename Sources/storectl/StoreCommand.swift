import ArgumentParser
import FoundationEssentials
import StoreClient
import StoreMessages
import StoreModel
import StoreSystem
import StoreTerminal

/// The type of the documented exit codes; needed because ArgumentParser declares a type of the same name.
typealias ExitCode = StoreModel.ExitCode

/// A command that is parsed from the arguments and then run with a console for its output.
protocol StoreCommand: AsyncParsableCommand, Sendable {
    var common: CommonOptions { get }
    /// The name of the store that the command line states, such as the value of `--store`; `nil` if it states none.
    var chosenStore: String? { get }
    /// Whether the command creates the directory that `--home` specifies, because it adds something to it.
    static var createsHome: Bool { get }

    /// Runs the command, and prints its output on the console.
    ///
    /// - Returns: the exit code, after all output was printed.
    /// - Throws: an error that ``Program`` prints.
    func run(_ console: Console) async throws -> ExitCode
}

extension StoreCommand {
    var chosenStore: String? { nil }
    static var createsHome: Bool { false }

    /// Checks that the name of a store on the command line is not empty, as that of a script's unset variable is.
    ///
    /// To the daemon, an empty name may be no name, or make the path of the request that of another resource.
    ///
    /// - Throws: `ValidationError`.
    func requireStoreName() throws {
        if chosenStore == "" { throw ValidationError(EnglishText.filled("the store's name must not be empty")) }
    }

    /// Returns the error of the command, with a hint that names a similar store if the one of the command line is unknown.
    func clarify(_ error: ErrorReport) async -> ErrorReport {
        guard error.code == .storeUnknown, let chosenStore, let client = try? client() else { return error }
        return await SimilarIdentifiers.clarify(store: chosenStore, error, client)
    }

    /// Creates a client of the daemon that works on the directory that `--home` specifies.
    ///
    /// - Throws: `home.missing` if the daemon would create this directory, and the command is none that does so.
    func client(_ starting: StoreClient.Starting = .ifNeeded()) throws -> StoreClient {
        let paths = try HomePaths.current(home: common.home)
        if case .ifNeeded = starting, !Self.createsHome, common.home != nil, let home = paths.home,
            FilePaths.isMissing(home)
        {
            if let parent = FilePaths.unwritableParent(of: home) {
                throw StoreError(.homeDirectoryNotCreatable, ["path": .path(home), "parent": .path(parent)])
            }
            throw StoreError(.homeDirectoryMissing, ["path": .path(home)])
        }
        let client = StoreClient(home: paths, startingDaemon: starting)
        // A terminal shows how an installation ends, so that no notification is needed.
        let isShown =
            !common.quiet
            && (FileDescriptor.standardOutput.isTerminal
                || (!common.json && FileDescriptor.standardError.isTerminal))
        return isShown ? client.showingEnds() : client
    }
}

/// The options that every command of the command line accepts, such as `--json`, `--quiet` and `--home`.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Print one JSON document")
    var json = false

    @Flag(name: .shortAndLong, help: "Suppress progress output")
    var quiet = false

    @Option(help: "When to color the output")
    var color = ColorChoice.auto

    @Flag(help: "Print long output without a pager")
    var noPager = false

    @Option(
        help: ArgumentHelp("Directory for all data, settings and the socket", valueName: "dir"), completion: .directory)
    var home: String?

    func validate() throws {
        // Such as an unset variable of a script, which must not lead to the user's own directories.
        if home == "" { throw ValidationError(EnglishText.filled("--home needs a directory")) }
    }

    var console: Console {
        let environment = ProcessInfo.processInfo.environment
        return Console(
            json: json, quiet: quiet, color: color, usesPager: !noPager, language: Language(environment: environment),
            environment: environment)
    }
}

extension ColorChoice: ExpressibleByArgument {}
