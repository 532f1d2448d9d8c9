import ArgumentParser
import StoreAPI
import StoreClient
import StoreMessages
import StoreModel
import StoreSystem
import StoreTerminal

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Manage settings",
        discussion: "Examples:\n  storectl config list",
        subcommands: [ListSettings.self, Get.self, Set.self, Unset.self])

    struct ListSettings: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List all settings and where their values come from",
            discussion: "Examples:\n  storectl config list --json")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let settings = try await client().settings()
            if console.json {
                console.document(SettingList(settings: settings))
                return .done
            }
            let width = console.output.isTerminal ? console.output.size.width : nil
            let needed =
                (settings.map(\.key.columns).max() ?? 0) + 2
                + (settings.map { $0.text(console.messages).columns }.max() ?? 0)
            if let width, needed > width {
                // A truncated value would be a wrong one.
                console.lines(
                    settings.flatMap {
                        "\($0.key) = \($0.text(console.messages))".displayable.wrapped(to: width, indentation: 2)
                    })
                return .done
            }
            var table = Table([
                .init(title: console.messages.text("KEY")), .identifier(title: console.messages.text("VALUE")),
                .init(title: console.messages.text("ORIGIN"), flexible: true, omission: 1),
                .init(title: console.messages.text("DESCRIPTION"), flexible: true, omission: 0),
            ])
            for setting in settings {
                table.add(
                    setting.key, setting.text(console.messages), setting.origin,
                    console.messages.translation(of: setting.summary))
            }
            console.table(table)
            return .done
        }
    }

    struct Get: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "get", abstract: "Print the value of a setting",
            discussion: "Examples:\n  storectl config get downloads.maximumAtOnce")

        @Argument(help: "Setting name", completion: CompletionCandidates.settings)
        var key: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let setting = try await SimilarIdentifiers.clarifying(key, client) { try await client.setting(key) }
            if console.json { console.document(setting) } else { console.line(setting.value) }
            return .done
        }
    }

    struct Set: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change a setting in the user's settings file",
            discussion: """
                A running daemon applies the setting immediately if possible; otherwise the command says that a restart \
                is needed. Numbers of bytes take the suffixes k, M and G (powers of 1000).

                Examples:
                  storectl config set downloads.maximumAtOnce 4
                  storectl config set network.bandwidth 500k
                """
        )

        @Argument(help: "Setting name", completion: CompletionCandidates.settings)
        var key: String

        @Argument(help: "New value")
        var value: String

        static let createsHome = true

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let setting: SettingDocument
            do {
                let client = try client()
                setting = try await SimilarIdentifiers.clarifying(key, client) { try await client.set(key, to: value) }
            } catch let error as StoreError where error.code == .daemonNotStarted {
                return try common.editSettingsFile("set", key, value)
            }
            return console.confirm(setting, "\(setting.key) = \(setting.value)")
        }
    }

    struct Unset: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "unset", abstract: "Remove a setting from the user's settings file",
            discussion: """
                The setting gets its default, or the value that the system's settings file has. Other settings in the \
                file are kept.

                Examples:
                  storectl config unset network.proxy
                """
        )

        @Argument(help: "Setting name", completion: CompletionCandidates.settings)
        var key: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let setting: SettingDocument
            do {
                let client = try client()
                setting = try await SimilarIdentifiers.clarifying(key, client) { try await client.unset(key) }
            } catch let error as StoreError where error.code == .daemonNotStarted {
                return try common.editSettingsFile("unset", key)
            }
            return console.confirm(
                setting,
                setting.value.isEmpty
                    ? console.messages.text("{key} is now empty.", ["key": setting.key])
                    : console.messages.text("{key} is now {value}.", ["key": setting.key, "value": setting.value]))
        }
    }
}

extension SettingDocument {
    /// The setting's value with its unit, such as `60 s`, for display.
    fileprivate func text(_ messages: Messages) -> String {
        let short = [
            "seconds": "s", "milliseconds": "ms", "bytes": messages.text("bytes"),
            "bytes a second": messages.text("bytes/s"),
        ]
        return unit.map { "\(value) \(short[$0] ?? $0)" } ?? value
    }
}

extension CommonOptions {
    /// Changes the user's settings file without the daemon, which does not start while the file has an invalid value.
    ///
    /// Replaces this process by `stored config`, which knows the settings. Returns only by throwing.
    fileprivate func editSettingsFile(_ action: String, _ words: String...) throws -> ExitCode {
        var arguments = ["config", action]
        if let home { arguments += ["--home", home] }
        if json { arguments.append("--json") }
        if quiet { arguments.append("--quiet") }
        // A value may begin with a hyphen.
        try InstalledProgram.replaceProcess(with: "stored", arguments: arguments + ["--"] + words)
        return .failed
    }
}

extension Console {
    /// Warns if the value of a setting is that of an environment variable, so that the settings file has no effect.
    func warnOfEnvironment(_ setting: SettingDocument) {
        guard setting.origin.hasPrefix("STORECTL_") else { return }
        warning(
            messages.text(
                "the daemon's environment variable {variable} overrides the settings file",
                ["variable": setting.origin]))
    }

    /// Prints a changed setting, and whether the daemon has to be restarted for it.
    fileprivate func confirm(_ setting: SettingDocument, _ text: String) -> ExitCode {
        if json {
            document(setting)
            return .done
        }
        warnOfEnvironment(setting)
        confirmation(text)
        // Without a restart, the daemon goes on with the old value, also after a command with --quiet.
        if setting.needsRestart {
            warning(messages.text("{key} takes effect after 'storectl daemon restart'", ["key": setting.key]))
        }
        return .done
    }
}
