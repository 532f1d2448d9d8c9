import FoundationEssentials
import StoreTerminal

/// The output of all commands of the publisher's tool.
enum Output {
    /// The console of the commands; the option `--json` changes only the form of results and errors.
    static let console = Console(
        json: wantsJSON, quiet: false, environment: ProcessInfo.processInfo.environment)

    /// Whether `--json` is among the arguments; examined here because the parser may reject the command line.
    private static var wantsJSON: Bool { CommandLine.arguments.prefix { $0 != "--" }.contains("--json") }

    /// Returns a count followed by its noun in singular or plural: `1 product`, `2 products`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
