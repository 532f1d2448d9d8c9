import ArgumentParser
import FoundationEssentials
import StoreClient
import StoreModel
import StoreSystem

struct Fetch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Downloads files, and does nothing else with them.",
        discussion: "The transfer engine on its own: no home, no daemon. 'storectl fetch --help' shows its options.",
        helpNames: [])

    @Argument(parsing: .captureForPassthrough, help: "As 'stored fetch' takes them.")
    var words: [String] = []

    /// Only comes back where the program can't be run: else this process is `stored fetch`, which has the engine
    /// without all that the daemon's client needs.
    func run() throws {
        let program = try StoreClient.daemonProgram()
        do {
            try CurrentProcess.replace(with: program, arguments: ["fetch"] + words)
        } catch {
            throw ErrorReport(code: .unexpected, message: "'\(program)' can't be run: \(error.message)")
        }
    }
}
