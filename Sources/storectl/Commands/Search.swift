import ArgumentParser
import StoreClient
import StoreMessages
import StoreModel
import StoreTerminal

struct Search: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find products",
        discussion: """
            Finds the products that contain all WORDS. Without words, lists all products.

            Examples:
              storectl search cups --kind sticker --free --sort popular
              storectl search --store cups --sort newest --limit 10
            """)

    @Argument(help: "Words to search for")
    var words: [String] = []

    @Option(
        help: "Only products of this kind: sticker, skin, emoji, plugin, or a store's own kind",
        completion: CompletionCandidates.kinds)
    var kind: String?

    @Option(help: "Only products of this category", completion: CompletionCandidates.categories)
    var category: String?

    @Option(
        help: ArgumentHelp("Only products of this store", valueName: "name"), completion: CompletionCandidates.stores)
    var store: String?

    @Flag(help: "Only free products")
    var free = false

    enum Order: String, ExpressibleByArgument, CaseIterable, Sendable { case name, newest, popular, price }

    @Option(help: "Sort order")
    var sort = Order.name

    @Option(help: ArgumentHelp("Maximum number of products", valueName: "n"))
    var limit: Int?

    @OptionGroup var common: CommonOptions

    var chosenStore: String? { store }

    func validate() throws {
        if let limit, !(1...1000).contains(limit) {
            throw ValidationError(EnglishText.filled("--limit must be from 1 to 1000"))
        }
    }

    /// Returns the option with a similar kind or category, where the given one is none that is known.
    private func similarOption(_ client: StoreClient) async -> String? {
        let kinds = CompletionCandidates.kindWords
        if let kind, !kinds.contains(kind), let similar = Suggestion.best(for: kind, among: kinds) {
            return "--kind \(similar)"
        }
        guard let category,
            let known = try? await client.categories(of: store, isCacheOnly: true).categories.map(\.name),
            !known.contains(category), let similar = Suggestion.best(for: category, among: known)
        else { return nil }
        return "--category '\(similar)'"
    }

    func run(_ console: Console) async throws -> ExitCode {
        let filter = ProductFilter(
            words: words, kind: kind.map(ProductKind.init), category: category, store: store, freeOnly: free,
            sort: .init(rawValue: sort.rawValue))
        let client = try client()
        let found = try await client.products(filter, limit: limit)
        if console.json {
            console.document(found)
            return .done
        }
        for warning in found.warnings { console.warning(warning) }
        guard !found.products.isEmpty else {
            console.note(console.messages.text("No products found."))
            guard !console.quiet else { return .done }
            if let meant = await similarOption(client) {
                console.hint(console.messages.text("did you mean {option}?", ["option": meant]))
            } else if try await client.stores().isEmpty {
                console.hint(console.messages.text("add a store with 'storectl store add NAME URL'"))
            }
            return .done
        }
        var table = Table([
            .identifier(title: console.messages.text("ID")),
            .init(title: console.messages.text("NAME"), flexible: true, omission: 5),
            .init(title: console.messages.text("KIND"), flexible: true, omission: 1),
            .init(title: console.messages.text("VERSION"), flexible: true, omission: 2),
            .init(title: console.messages.text("SIZE"), right: true, omission: 0),
            .init(title: console.messages.text("PRICE"), flexible: true, omission: 4),
            .identifier(title: console.messages.text("STORE"), omission: 3),
            .init(
                title: console.messages.text("STATE"), flexible: true, omission: 6, style: stateStyle(console.messages)),
        ])
        for product in found.products {
            table.add(
                product.productIdentifier, product.name, product.kind.rawValue, product.version?.text ?? "-",
                product.size.map { AmountFormat.bytes($0, console.messages) } ?? "-",
                product.price.isFree ? console.messages.text("free") : product.price.description, product.store,
                console.messages.list(
                    [
                        product.defect == nil
                            ? stateWord(product.state, console.messages) : console.messages.text("not installable"),
                        product.signed ? "" : console.messages.text("unsigned"),
                    ].filter { !$0.isEmpty }))
        }
        console.table(table)
        if found.next != nil { console.note(console.messages.text("More products were found than --limit shows.")) }
        return .done
    }
}

/// Returns the most important of a product's states as a word for a table, such as `Installed`.
///
/// The result is empty for `Free`, which the price column already shows.
func stateWord(_ states: [ProductState], _ messages: Messages) -> String {
    states.min().map { $0 == .free ? "" : messages.word(for: $0) } ?? ""
}
