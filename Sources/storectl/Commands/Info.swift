import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Info: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show details of a product",
        discussion: """
            --previews shows preview images if the terminal supports them (kitty, iTerm2, WezTerm), else their URLs. With \
            --json, the document contains the URLs.

            Examples:
              storectl info org.example.cups --previews
            """)

    @Argument(help: ArgumentHelp("Product identifier, or STORE/ID", valueName: "id"))
    var id: String

    @Option(help: "Only in this store")
    var store: String?

    @Flag(help: "Show preview images")
    var previews = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if previews && common.json {
            throw ValidationError("--previews and --json exclude each other; the JSON document contains the image URLs")
        }
    }

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let name = try await ProductNames(store: store).parse([id], client)[0]
        let found = try await client.product(name.id, store: name.store)
        if console.json {
            console.document(found)
            return .done
        }
        for warning in found.warnings ?? [] { console.warning(warning) }
        console.lines(lines(found))
        if previews { try await show(found, client, console) }
        return .done
    }

    private func lines(_ found: ProductDocument) -> [String] {
        let product = found.product
        let languages = StoreClient.languages()
        var facts: [(String, String?)] = [
            ("ID", product.productIdentifier), ("Name", product.productName.text(in: languages)),
            ("Store", found.store), ("Kind", product.kind.rawValue), ("Version", product.version?.text),
            ("Price", product.productPrice.description), ("Download", product.resource?.size.map(AmountFormat.bytes)),
            ("State", found.state.map(\.rawValue).joined(separator: ", ")),
            ("Publisher", product.publisher), ("Authors", joined(product.authors)), ("License", product.license),
            ("Languages", joined(product.locales)), ("Categories", joined(product.categories)),
            ("Tags", joined(product.tags)), ("Requires", joined(product.dependencies)),
            ("Requests", joined(product.permissions.sorted().map(\.meaning))),
            ("Published", product.publishedAt.map(shortTime)), ("Problem", product.defect),
        ]
        if let pack = found.pack {
            facts += [
                (
                    "Installed",
                    [pack.version?.text, AmountFormat.bytes(pack.size)].compactMap { $0 }.joined(separator: ", ")
                ),
                ("Path", pack.path), ("Held", pack.held ? "yes" : nil),
                ("Allowed", joined(pack.permissions.map(\.meaning))),
            ]
        }
        let shown = facts.compactMap { fact in fact.1.flatMap { $0.isEmpty ? nil : (fact.0, $0) } }
        var lines = shown.map { "\($0.0):".padded(to: 12) + $0.1.displayable }
        if let text = found.details?.info.text(in: languages), !text.isEmpty {
            lines += [""] + text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return lines
    }

    private func joined(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }

    private func show(_ found: ProductDocument, _ client: StoreClient, _ console: Console) async throws {
        let addresses =
            found.product.previews.isEmpty ? found.details?.previews ?? [] : found.product.previews.map(\.url)
        if addresses.isEmpty { console.note("The store has no preview images of this product.") }
        let images = InlineImages(
            environment: ProcessInfo.processInfo.environment, isTerminal: console.output.isTerminal)
        for (number, address) in addresses.enumerated() {
            var sequence: String?
            if images != .none {
                let preview = try await client.preview(number, of: found.product.productIdentifier, store: found.store)
                sequence = images.sequence(for: preview.image)
            }
            if let sequence { console.output.write(sequence) } else { console.line(address.absoluteString) }
        }
    }
}
