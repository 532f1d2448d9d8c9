import ArgumentParser
import FoundationEssentials
import StoreModel
import StoreSystem

/// The command `stored fetch`, which replaces this process by the program `store-fetch`.
struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Download files without installing them",
        discussion: "'stored fetch --help' lists the options.", helpNames: [])

    @Argument(parsing: .captureForPassthrough, help: "Arguments of the program store-fetch")
    var arguments: [String] = []

    func run() throws {
        let name = "store-fetch"
        guard let program = InstalledProgram.find(name, environment: ProcessInfo.processInfo.environment) else {
            throw StoreError(.programMissing, ["program": name])
        }
        try CurrentProcess.replace(with: program.path, arguments: arguments)
    }
}
