import ArgumentParser
import StoreClient
import StoreModel
import StoreTerminal

struct Categories: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "categories", abstract: "List the categories of products",
        discussion: """
            Lists the categories that stores have given their products, with the number of products in each. 'storectl \
            search --category' finds these products.

            Examples:
              storectl categories
              storectl search --category animals
            """)

    @Option(
        help: ArgumentHelp("Only products of this store", valueName: "name"), completion: CompletionCandidates.stores)
    var store: String?

    @OptionGroup var common: CommonOptions

    var chosenStore: String? { store }

    func run(_ console: Console) async throws -> ExitCode {
        let found = try await client().categories(of: store)
        if console.json {
            console.document(found)
            return .done
        }
        for warning in found.warnings { console.warning(warning) }
        guard !found.categories.isEmpty else {
            console.note(console.messages.text("No categories."))
            return .done
        }
        var table = Table([
            .identifier(title: console.messages.text("NAME")),
            .init(title: console.messages.text("PRODUCTS"), right: true),
        ])
        for category in found.categories { table.add(category.name, "\(category.products)") }
        console.table(table)
        return .done
    }
}
