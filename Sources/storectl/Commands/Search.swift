import ArgumentParser
import StoreClient
import StoreModel
import StoreTerminal

struct Search: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Finds products.",
        discussion: """
            All WORDS must be found in a product. Without any, all products are shown.

            For example:
              storectl search cups --kind sticker --free --sort popular
            """)

    @Argument(help: "What to look for.")
    var words: [String] = []

    @Option(help: "Only products of this kind: sticker, skin, emoji, plugin, or what a store calls its own.")
    var kind: String?

    @Option(help: "Only products of this category.")
    var category: String?

    @Flag(help: "Only what costs nothing.")
    var free = false

    enum Order: String, ExpressibleByArgument, CaseIterable, Sendable { case name, newest, popular, price }

    @Option(help: "The order.")
    var sort = Order.name

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let filter = ProductFilter(
            words: words, kind: kind.map(ProductKind.init), category: category, freeOnly: free,
            sort: .init(rawValue: sort.rawValue))
        let found = try await client().products(filter)
        if console.json {
            console.document(found)
            return .done
        }
        for warning in found.warnings { console.warn(warning) }
        guard !found.products.isEmpty else {
            console.remark("Nothing was found.")
            return .done
        }
        var table = Table([
            .init(title: "ID", flexible: true), .init(title: "NAME", flexible: true), .init(title: "KIND"),
            .init(title: "VERSION", flexible: true), .init(title: "SIZE", right: true), .init(title: "PRICE"),
            .init(title: "STORE", flexible: true), .init(title: "STATE"),
        ])
        for product in found.products {
            table.add(
                product.productIdentifier, product.name, product.kind.rawValue, product.version?.text ?? "-",
                product.size.map(Amounts.bytes) ?? "-", product.price.description, product.store,
                product.defect == nil ? stateWord(product.state) : "can't be installed")
        }
        console.table(table)
        return .done
    }
}

/// The first state that holds and that the other columns don't tell, which is the one to show.
func stateWord(_ states: [ProductState]) -> String {
    states.min().map { $0 == .free ? "" : $0.rawValue } ?? ""
}
