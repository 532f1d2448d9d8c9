import ArgumentParser
import StoreAPI
import StoreSystem

@main
struct Storectl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storectl",
        abstract: "Install and update add-ons for chat applications",
        discussion: """
            Every command accepts --json (one document on standard output), --quiet (no progress output) and \
            --home DIR (all files in one directory).

            Examples:
              storectl store add cups https://store.example/ --unsigned
              storectl search cups
              storectl install org.example.cups
            """,
        version: "storectl \(StoreAPI.programVersion)",
        groupedSubcommands: [
            CommandGroup(name: "Stores", subcommands: [Store.self, Refresh.self, Search.self, Info.self]),
            CommandGroup(
                name: "Packs",
                subcommands: [
                    Install.self, Uninstall.self, List.self, Update.self, Hold.self, Unhold.self, Rollback.self,
                    Verify.self,
                ]),
            CommandGroup(
                name: "Downloads",
                subcommands: [
                    Downloads.self, Pause.self, Resume.self, Cancel.self, Watch.self, History.self, Fetch.self,
                ]),
            CommandGroup(name: "Content", subcommands: [Purchases.self, Stickers.self, Skin.self]),
            CommandGroup(name: "Program", subcommands: [Config.self, DaemonCommand.self, Completions.self]),
        ])

    static var commandNames: [String] {
        configuration.groupedSubcommands.flatMap(\.subcommands).map { $0._commandName }
    }

    static func main() async {
        CurrentProcess.exit(await Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
