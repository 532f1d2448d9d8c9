import ArgumentParser
import Files
import FoundationEssentials
import Glibc
import Settings
import StoreAPI
import StoreModel
import StoreServer

/// The daemon's program: arguments in, one call, exit code out.
@main
struct Stored: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stored",
        abstract: "The store's daemon: keeps add-on content for its user, and answers storectl and others at a socket.",
        discussion: "storectl starts it when it is needed. It ends by itself when nobody wants anything any more.",
        version: "stored \(StoreAPI.programVersion)",
        subcommands: [FetchCommand.self])

    @Option(help: ArgumentHelp("Keep everything under this folder.", valueName: "dir"))
    var home: String?

    @Option(
        help: ArgumentHelp(
            "End after this long with nothing to do and nobody connected; 0 is never.", valueName: "seconds"))
    var idleTimeout: String?

    @Option(help: ArgumentHelp("The least important messages to log: trace to critical.", valueName: "level"))
    var logLevel: String?

    func run() async throws {
        var overrides: [SettingKey: String] = [:]
        overrides[.daemonIdleTimeout] = idleTimeout
        overrides[.logLevel] = logLevel
        let places = try Places.current(home: home)
        let environment = ProcessInfo.processInfo.environment
        try await Daemon(places: places, environment: environment, overrides: overrides).run()
    }

    static func main() async {
        do {
            var command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch let end as FetchEnd {
            Glibc.exit(end.code.rawValue)
        } catch let error as any CodedError {
            say("stored: \(error.message)", to: 2)
            Glibc.exit(error.code.exitCode.rawValue)
        } catch {
            let isFine = exitCode(for: error).isSuccess
            say(isFine ? fullMessage(for: error) : "stored: " + message(for: error), to: isFine ? 1 : 2)
            Glibc.exit((isFine ? ExitCode.done : .usage).rawValue)
        }
    }

    private static func say(_ text: String, to descriptor: Int32) {
        let bytes = Array((text + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
