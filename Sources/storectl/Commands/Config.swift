import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Shows and changes settings.",
        discussion: "For example:\n  storectl config list",
        subcommands: [ListSettings.self, Get.self, Set.self])

    struct ListSettings: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists all settings, with where their values come from.",
            discussion: "For example:\n  storectl config list --json")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let settings = try await client().settings()
            if console.json {
                console.document(SettingList(settings: settings))
                return .done
            }
            var table = Table([
                .init(title: "KEY"), .init(title: "VALUE", flexible: true), .init(title: "FROM", flexible: true),
                .init(title: "IS", flexible: true),
            ])
            for setting in settings { table.add(setting.key, setting.value, setting.origin, setting.summary) }
            console.table(table)
            return .done
        }
    }

    struct Get: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "get", abstract: "Prints the value of a setting.",
            discussion: "For example:\n  storectl config get KEY")

        @Argument(help: "Which.")
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
            commandName: "set", abstract: "Changes a setting in the user's file.",
            discussion:
                """
                A running daemon takes what it can at once; what needs a restart is said.

                For example:
                  storectl config set KEY VALUE
                """
        )

        @Argument(help: "Which.")
        var key: String

        @Argument(help: "What it is to be.")
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
                console.remark("It counts from the daemon's next start: 'storectl daemon stop' brings that about.")
            }
            return .done
        }
    }
}
