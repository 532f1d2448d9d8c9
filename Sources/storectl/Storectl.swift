import ArgumentParser
import StoreAPI
import StoreSystem

@main
struct Storectl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storectl",
        abstract: "Install and update add-ons for chat applications",
        discussion: """
            Every command accepts --json (one document on standard output), --quiet (no progress output), --home DIR (all \
            files in one directory), --color auto|always|never and --no-pager.

            Environment: NO_COLOR disables colors. STORECTL_PAGER, else PAGER, is the pager for long output on a terminal \
            (default: less -FRX). STORECTL_HOME is the directory that --home gives. LANGUAGE, LC_ALL, LC_MESSAGES and LANG \
            choose the language of messages: English, German, French, Spanish, Catalan or Arabic.

            Examples:
              storectl store add cups https://store.example/ --unsigned
              storectl search cups
              storectl install org.example.cups

            Exit codes:
            \(exitCodes)
            """,
        version: "storectl \(StoreAPI.programVersion)",
        groupedSubcommands: [
            CommandGroup(
                name: "Stores", subcommands: [Store.self, Refresh.self, Search.self, Categories.self, Info.self]),
            CommandGroup(
                name: "Packs",
                subcommands: [
                    Install.self, Uninstall.self, Autoremove.self, List.self, Update.self, Hold.self, Unhold.self,
                    Rollback.self, Verify.self,
                ]),
            CommandGroup(
                name: "Downloads",
                subcommands: [
                    Downloads.self, Pause.self, Resume.self, Cancel.self, Watch.self, History.self, Fetch.self,
                ]),
            CommandGroup(name: "Content", subcommands: [Purchases.self, Stickers.self, Emoji.self, Skin.self]),
            CommandGroup(name: "Program", subcommands: [Web.self, Config.self, DaemonCommand.self, Completions.self]),
        ])

    /// The table of exit codes in the help: one line for each, in ascending order.
    private static var exitCodes: String {
        ExitCode.allCases.map { code in
            let number = "\(code.rawValue)"
            return "  " + String(repeating: " ", count: 3 - number.count) + number + "  " + code.summary
        }.joined(separator: "\n")
    }

    static func main() async {
        // A command allocates on one thread at a time. Another arena than the first grows by a system call for each few pages.
        HeapLimit.set(arenas: 1)
        CurrentProcess.exit(await Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
