import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreModel
import StoreScenarios
import StoreServer
import StoreSettings
import StoreSystem

/// The daemon's program: arguments in, one call, exit code out.
@main
struct Stored: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stored",
        abstract: "The store's daemon: keeps add-on content for its user, and answers storectl and others at a socket.",
        discussion: "storectl starts it when it is needed. It ends by itself when nobody wants anything any more.",
        version: "stored \(StoreAPI.programVersion)",
        subcommands: [FetchCommand.self, StoriesCommand.self])

    @Option(help: ArgumentHelp("Keep everything under this folder.", valueName: "dir"))
    var home: String?

    @Option(
        help: ArgumentHelp(
            "End after this long with nothing to do and nobody connected; 0 is never.", valueName: "seconds"))
    var idleTimeout: String?

    @Option(help: ArgumentHelp("The least important messages to log: trace to critical.", valueName: "level"))
    var logLevel: String?

    @Option(
        help: ArgumentHelp(
            "Play a story instead, for the tests of a front-end: no network, and a clock that stands still until it is "
                + "moved. One of 'stored stories', or a file's name with a '/' or a '.' in it. Without --home in a "
                + "temporary one. The home's path is printed as soon as clients can connect.", valueName: "story"))
    var scenario: String?

    @Option(
        help: ArgumentHelp(
            "Who moves the story's clock: 'moved' by POST /v1/scenario/clock, 'real' as the machine's runs. Without it, "
                + "as the story says.", valueName: "clock"))
    var scenarioClock: Story.Clock?

    func validate() throws {
        guard scenarioClock != nil, scenario == nil else { return }
        throw ValidationError("'--scenario-clock' is of use with '--scenario' only.")
    }

    func run() async throws {
        var overrides: [SettingKey: String] = [:]
        overrides[.daemonIdleTimeout] = idleTimeout
        overrides[.logLevel] = logLevel
        if let scenario { return try await play(Story.named(scenario), overrides) }
        let places = try HomePaths.current(home: home)
        let environment = ProcessInfo.processInfo.environment
        try await Daemon(paths: places, environment: environment, overrides: overrides).run()
    }

    private func play(_ story: Story, _ overrides: [SettingKey: String]) async throws {
        let temporary = try home == nil ? TemporaryHome() : nil
        defer { temporary?.remove() }
        let chosen = home ?? temporary?.path
        var places = try HomePaths.current(home: chosen)
        guard let path = places.home else { return }
        try Scenario.requireEmpty(path)
        // What the machine and its user have set is no part of the story.
        places.systemSettings = path + "/story/settings.json"
        try await Daemon(
            paths: places, environment: [:], overrides: story.settings.merging(overrides) { $1 },
            scenario: Scenario(story, home: path, clock: scenarioClock),
            onListening: { Self.say(path, to: .standardOutput) }
        ).run()
    }

    static func main() async {
        do {
            var command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch let end as FetchEnd {
            CurrentProcess.exit(end.code.rawValue)
        } catch let error as any CodedError {
            say("stored: \(error.message)" + (error.hint.map { "\nhint: \($0)" } ?? ""), to: .standardError)
            CurrentProcess.exit(error.code.exitCode.rawValue)
        } catch {
            let isFine = exitCode(for: error).isSuccess
            say(
                isFine ? fullMessage(for: error) : "stored: " + message(for: error),
                to: isFine ? .standardOutput : .standardError)
            CurrentProcess.exit((isFine ? ExitCode.done : .usage).rawValue)
        }
    }

    static func say(_ text: String, to descriptor: FileDescriptor) { try? descriptor.writeAll(text + "\n") }
}
