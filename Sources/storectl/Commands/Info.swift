import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Info: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Shows all that is known of a product.",
        discussion: """
            With --previews its pictures are shown where the terminal can (kitty, iTerm2, WezTerm), else their \
            addresses. With --json the document holds the addresses.

            For example:
              storectl info org.example.cups --previews
            """)

    @Argument(help: ArgumentHelp("The product, or STORE/ID.", valueName: "id"))
    var id: String

    @Option(help: "Only in this store.")
    var store: String?

    @Flag(help: "Show its pictures.")
    var previews = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if previews && common.json {
            throw ValidationError("--previews shows pictures; with --json their addresses are in the document.")
        }
    }

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let name = try await ProductNames(store: store).read([id], client)[0]
        let found = try await client.product(name.id, store: name.store)
        if console.json {
            console.document(found)
            return .done
        }
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
            ("Price", product.productPrice.description), ("Download", product.resource?.size.map(Amounts.bytes)),
            ("State", found.state.map(\.rawValue).joined(separator: ", ")),
            ("Publisher", product.publisher), ("Authors", joined(product.authors)), ("License", product.license),
            ("Languages", joined(product.locales)), ("Categories", joined(product.categories)),
            ("Tags", joined(product.tags)), ("Needs", joined(product.dependencies)),
            ("Asks to", joined(product.permissions.sorted().map(\.meaning))),
            ("Published", product.publishedAt.map(shortTime)), ("Problem", product.defect),
        ]
        if let pack = found.pack {
            facts += [
                (
                    "Installed",
                    [pack.version?.text, Amounts.bytes(pack.size)].compactMap { $0 }.joined(separator: ", ")
                ),
                ("Path", pack.path), ("Held", pack.held ? "yes" : nil),
                ("Allowed", joined(pack.permissions.map(\.meaning))),
            ]
        }
        let shown = facts.compactMap { fact in fact.1.flatMap { $0.isEmpty ? nil : (fact.0, $0) } }
        var lines = shown.map { "\($0.0):".padded(to: 12) + visible($0.1) }
        if let text = found.details?.info.text(in: languages), !text.isEmpty {
            lines += [""] + text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return lines
    }

    private func joined(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }

    private func show(_ found: ProductDocument, _ client: StoreClient, _ console: Console) async throws {
        let addresses =
            found.product.previews.isEmpty ? found.details?.previews ?? [] : found.product.previews.map(\.url)
        if addresses.isEmpty { console.remark("The store has no pictures of it.") }
        let pictures = Pictures(
            environment: ProcessInfo.processInfo.environment, isTerminal: console.output.isTerminal)
        for (number, address) in addresses.enumerated() {
            var sequence: String?
            if pictures != .none {
                let preview = try await client.preview(number, of: found.product.productIdentifier, store: found.store)
                sequence = pictures.sequence(for: preview.image)
            }
            if let sequence { console.output.write(sequence) } else { console.line(address.absoluteString) }
        }
    }
}
