import ArgumentParser
import StoreSystem

struct Fetch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Download files without installing them",
        discussion: "Needs neither a home nor the daemon. 'storectl fetch --help' lists its options.",
        helpNames: [])

    @Argument(parsing: .captureForPassthrough, help: "Arguments of the program store-fetch")
    var arguments: [String] = []

    /// Replaces this process by `store-fetch`, which links the transfer engine but not the daemon's client.
    func run() throws {
        if CommandLineWords.contain("--version", in: arguments) {
            throw CleanExit.message(Storectl.configuration.version)
        }
        try InstalledProgram.replaceProcess(with: "store-fetch", arguments: arguments)
    }
}
