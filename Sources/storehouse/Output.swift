import FoundationEssentials
import StoreModel
import StorePublishing
import StoreTerminal

/// A namespace for printing: the console of all commands of the publisher's tool, and a function for texts.
enum Output {
    /// The console on which the commands of the publisher's tool print results and errors.
    ///
    /// The option `--json` changes only the form of results and errors.
    static let console = Console(
        json: wantsJSON, quiet: false, environment: ProcessInfo.processInfo.environment)

    /// Whether the option `--json` is on the command line.
    ///
    /// It is examined here because the parser may reject the command line.
    private static var wantsJSON: Bool { CommandLine.arguments.prefix { $0 != "--" }.contains("--json") }

    /// Warns of a price that is an amount without a currency.
    static func warn(ofMissingCurrency price: StoreModel.Price, of productIdentifier: String) {
        guard price.lacksCurrency else { return }
        console.warning(
            "the price '\(price)' of '\(productIdentifier)' has no currency, so that users can't tell what they pay; "
                + "write, for example, '\(price) EUR'")
    }

    /// Returns a count followed by its noun in singular or plural: `1 product`, `2 products`.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
