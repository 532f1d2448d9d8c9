import ArgumentParser
import StoreSystem

/// The command `stored fetch`, which replaces this process by the program `store-fetch`.
struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Download files without installing them",
        discussion: "'stored fetch --help' lists the options.", helpNames: [])

    @Argument(parsing: .captureForPassthrough, help: "Arguments of the program store-fetch")
    var arguments: [String] = []

    func run() throws {
        try InstalledProgram.replaceProcess(with: "store-fetch", arguments: arguments)
    }
}
