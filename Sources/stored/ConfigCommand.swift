import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreModel
import StoreSettings
import StoreSystem
import StoreTerminal

/// The command `stored config`, which repairs the user's settings file where no daemon can start.
///
/// `storectl config` runs it: the daemon, which otherwise changes the file, exits when a setting is invalid.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Change the user's settings file without the daemon",
        discussion: "'storectl config' does the same, and through a running daemon, which applies the change.",
        subcommands: [Set.self, Unset.self])

    struct Options: ParsableArguments {
        @Option(help: ArgumentHelp("Directory for all data, settings and the socket", valueName: "dir"))
        var home: String?

        @Flag(help: "Print one JSON document")
        var json = false

        @Flag(name: .shortAndLong, help: "Suppress confirmations")
        var quiet = false
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "set", abstract: "Change a setting")

        @Argument(help: "Setting name")
        var key: String

        @Argument(help: "New value")
        var value: String

        @OptionGroup var options: Options

        func run() async throws {
            try await options.change(key) { file, key in
                let written = try await file.set(key, to: value)
                return (written, .user(path: file.path), "\(key.name) = \(written)")
            }
        }
    }

    struct Unset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "unset", abstract: "Remove a setting")

        @Argument(help: "Setting name")
        var key: String

        @OptionGroup var options: Options

        func run() async throws {
            try await options.change(key) { file, key in
                try await file.unset(key)
                return (key.defaultValue, .default, "Removed \(key.name) from \(file.path).")
            }
        }
    }
}

extension ConfigCommand.Options {
    private typealias Change = (value: SettingValue, origin: SettingOrigin, confirmation: String)

    /// Changes the user's settings file, prints the setting, and warns about a setting that is still invalid.
    ///
    /// An error of the change is printed, too, because the JSON document belongs to this command.
    ///
    /// - Throws: the exit code of an error.
    fileprivate func change(
        _ name: String, _ body: (SettingsFile, SettingKey) async throws -> (SettingValue, SettingOrigin, String)
    ) async throws {
        let environment = ProcessInfo.processInfo.environment
        let console = Console(json: json, quiet: quiet, environment: environment)
        do {
            let paths = try HomePaths.current(home: home)
            let key = try SettingKey(named: name)
            var change: Change = try await body(SettingsFile(path: paths.userSettings), key)
            var invalid: ErrorReport?
            do {
                let settings = try await Settings.load(places: paths, environment: environment)
                // The environment, or the system's file, may have the setting, too.
                (change.value, change.origin) = (settings[key], settings.origin(of: key))
            } catch {
                invalid = ErrorReport(error)
            }
            if json {
                console.document(
                    SettingDocument(
                        key: key.name, value: change.value.description, unit: key.unit?.rawValue,
                        origin: change.origin.description, summary: key.summary, needsRestart: key.needsRestart))
            } else {
                console.confirmation(change.confirmation)
                if case .environment(let variable) = change.origin {
                    console.warning("the environment variable \(variable) overrides the settings file")
                }
            }
            if let invalid {
                console.warning(invalid.message)
                if let hint = invalid.hint { console.hint(hint) }
            }
        } catch {
            let report = ErrorReport(error)
            console.fail(report)
            throw ArgumentParser.ExitCode(report.code.exitCode.rawValue)
        }
    }
}
