import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreDesktop
import StoreModel
import StoreScenarios
import StoreServer
import StoreSettings
import StoreSystem
import StoreTerminal

/// The daemon's program: parses the arguments, runs the daemon, and exits with a documented exit code.
@main
struct Stored: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stored",
        abstract: "The daemon that installs and updates add-ons for storectl and other clients",
        discussion:
            "Clients start the daemon automatically when they need it. It exits when it has been idle for a while.",
        version: "stored \(StoreAPI.programVersion)",
        subcommands: [FetchCommand.self, ScenariosCommand.self, ConfigCommand.self])

    @Option(help: ArgumentHelp("Directory for all data, settings and the socket", valueName: "dir"))
    var home: String?

    @Option(
        help: ArgumentHelp(
            "Exit after this long without work and without clients, in seconds; 0 for never", valueName: "seconds"))
    var idleTimeout: String?

    @Option(help: ArgumentHelp("Minimum level of log messages, from trace to critical", valueName: "level"))
    var logLevel: String?

    @Option(
        help: ArgumentHelp(
            """
            Play a scripted scenario instead of using the network and the system clock, for tests of front-ends: a name \
            from 'stored scenarios', or a file whose path contains a '/' or a '.'. Uses a temporary home unless --home is \
            given, and prints its path as soon as clients can connect
            """, valueName: "scenario"))
    var scenario: String?

    @Option(
        help: ArgumentHelp(
            "How the scenario's clock advances: 'moved' (by POST /v1/scenario/clock) or 'real' (default: as the script "
                + "states)", valueName: "mode"))
    var scenarioClock: ScenarioScript.ClockMode?

    func validate() throws {
        guard scenarioClock != nil, scenario == nil else { return }
        throw ValidationError("--scenario-clock requires --scenario")
    }

    func run() async throws {
        var overrides: [SettingKey: String] = [:]
        overrides[.daemonIdleTimeout] = idleTimeout
        overrides[.logLevel] = logLevel
        if let scenario { return try await play(ScenarioScript.named(scenario), overrides) }
        let paths = try HomePaths.current(home: home)
        let environment = ProcessInfo.processInfo.environment
        try await Daemon(
            paths: paths, environment: environment, overrides: overrides,
            desktop: DesktopNotifier.connecting(environment)
        ).run()
    }

    private func play(_ script: ScenarioScript, _ overrides: [SettingKey: String]) async throws {
        let temporary = try home == nil ? TemporaryHome() : nil
        defer { temporary?.remove() }
        let chosen = home ?? temporary?.path
        var paths = try HomePaths.current(home: chosen)
        guard let path = paths.home else { return }
        try Scenario.requireEmpty(path)
        // Settings of the machine and its user must not influence a scenario.
        paths.systemSettings = path + "/scenario/settings.json"
        try await Daemon(
            paths: paths, environment: [:], overrides: script.settings.merging(overrides) { $1 },
            scenario: Scenario(script, home: path, clock: scenarioClock), onListening: { Self.console.line(path) }
        ).run()
    }

    static let console = Console(json: false, quiet: false, environment: ProcessInfo.processInfo.environment)

    static func main() async {
        CurrentProcess.exit(await execute())
    }

    /// Runs the command that the command line names, and returns the code with which the process exits.
    private static func execute() async -> Int32 {
        do {
            var command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
            return StoreModel.ExitCode.done.rawValue
        } catch let end as ArgumentParser.ExitCode {
            return end.rawValue
        } catch let error as any CodedError {
            console.error(ErrorReport(error))
            return error.code.exitCode.rawValue
        } catch {
            guard exitCode(for: error).isSuccess else {
                console.usageError(message(for: error), help: "stored --help")
                return StoreModel.ExitCode.usage.rawValue
            }
            console.output.write(fullMessage(for: error) + "\n")
            return StoreModel.ExitCode.done.rawValue
        }
    }
}
