import ArgumentParser
import StoreClient
import StoreModel
import StoreTerminal

struct Search: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find products",
        discussion: """
            Finds the products that contain all WORDS. Without words, lists all products.

            Examples:
              storectl search cups --kind sticker --free --sort popular
            """)

    @Argument(help: "Words to search for")
    var words: [String] = []

    @Option(help: "Only products of this kind: sticker, skin, emoji, plugin, or a store's own kind")
    var kind: String?

    @Option(help: "Only products of this category")
    var category: String?

    @Flag(help: "Only free products")
    var free = false

    enum Order: String, ExpressibleByArgument, CaseIterable, Sendable { case name, newest, popular, price }

    @Option(help: "Sort order")
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
        for warning in found.warnings { console.warning(warning) }
        guard !found.products.isEmpty else {
            console.note("No products found.")
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
                product.size.map(AmountFormat.bytes) ?? "-", product.price.description, product.store,
                product.defect == nil ? stateWord(product.state) : "not installable")
        }
        console.table(table)
        return .done
    }
}

/// Returns the most important of a product's states as a word for a table, such as `Downloaded`.
///
/// The result is empty for `Free`, which the price column already shows.
func stateWord(_ states: [ProductState]) -> String {
    states.min().map { $0 == .free ? "" : $0.rawValue } ?? ""
}
