import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Manage settings",
        discussion: "Examples:\n  storectl config list",
        subcommands: [ListSettings.self, Get.self, Set.self])

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
            var table = Table([
                .init(title: "KEY"), .init(title: "VALUE", flexible: true), .init(title: "ORIGIN", flexible: true),
                .init(title: "DESCRIPTION", flexible: true),
            ])
            for setting in settings { table.add(setting.key, setting.value, setting.origin, setting.summary) }
            console.table(table)
            return .done
        }
    }

    struct Get: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "get", abstract: "Print the value of a setting",
            discussion: "Examples:\n  storectl config get KEY")

        @Argument(help: "Setting name")
        var key: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let setting = try await client().setting(key)
            if console.json { console.document(setting) } else { console.line(setting.value) }
            return .done
        }
    }

    struct Set: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change a setting in the user's settings file",
            discussion:
                """
                A running daemon applies the setting immediately if possible; otherwise the command says that a restart is \
                needed.

                Examples:
                  storectl config set KEY VALUE
                """
        )

        @Argument(help: "Setting name")
        var key: String

        @Argument(help: "New value")
        var value: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let setting = try await client().set(key, to: value)
            if console.json {
                console.document(setting)
                return .done
            }
            console.confirmation("\(setting.key) = \(setting.value)")
            if setting.needsRestart {
                console.note("Takes effect after 'storectl daemon restart'.")
            }
            return .done
        }
    }
}
