import ArgumentParser
import FoundationEssentials
import Glibc
import StoreClient
import StoreModel

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
        var arguments = ([program, "fetch"] + words).map { strdup($0) } + [nil]
        execv(program, &arguments)
        throw ErrorReport(
            code: .unexpected, message: "'\(program)' can't be run: \(String(cString: strerror(errno))).")
    }
}
