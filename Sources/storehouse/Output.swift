import FoundationEssentials
import StoreTerminal

/// Output of all commands.
enum Output {
    /// The console; `--json` changes only the form of results and errors.
    static let console = Console(
        json: wantsJSON, quiet: false, environment: ProcessInfo.processInfo.environment)

    /// Whether `--json` is among the arguments, which is also known for an invalid command line.
    private static var wantsJSON: Bool { CommandLine.arguments.prefix { $0 != "--" }.contains("--json") }

    /// Returns a count with its noun in the right number: `1 product`, `2 products`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
