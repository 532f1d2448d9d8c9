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
            A product that several stores of the same priority offer is shown for each of them.

            If an update is available, its differences from the installed version are shown. --previews shows preview \
            images if the terminal supports them (kitty, iTerm2, WezTerm), else their URLs. With \
            --json, the document contains the URLs.

            Examples:
              storectl info org.example.cups --previews
            """, aliases: ["show"])

    @Argument(
        help: ArgumentHelp("Product identifier, or STORE/ID", valueName: "id"),
        completion: CompletionCandidates.products)
    var id: String

    @Option(help: "Only in this store", completion: CompletionCandidates.stores)
    var store: String?

    @Flag(help: "Show preview images")
    var previews = false

    @OptionGroup var common: CommonOptions

    var chosenStore: String? { store }

    func validate() throws {
        if previews && common.json {
            throw ValidationError(
                EnglishText.filled(
                    "--previews and --json exclude each other; the JSON document contains the image URLs"))
        }
    }

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let name = try await ProductNames(store: store).parse([id], client)[0]
        let found = try await products(name, client)
        if console.json {
            console.document(InfoDocument(product: found[0], others: Array(found.dropFirst())))
            return .done
        }
        for warning in Set(found.flatMap(\.warnings)).sorted() { console.warning(warning) }
        var text: [String] = []
        for (number, product) in found.enumerated() {
            if number > 0 { text.append("") }
            text += InfoText(messages: console.messages, showsPreviews: !previews).lines(
                product, cover: await cover(product.pack, client),
                width: console.output.isTerminal ? console.output.size.width : nil)
            guard previews else { continue }
            console.lines(text)
            text = []
            try await show(product, client, console)
        }
        console.lines(text)
        return .done
    }

    /// Returns a product of the store that it is installed from by default, or of all stores if that is ambiguous.
    private func products(_ name: ProductName, _ client: StoreClient) async throws -> [ProductDocument] {
        do {
            return [try await client.product(name.id, store: name.store)]
        } catch let error as ErrorReport where error.code == .productUnknown {
            throw await ProductCandidates.clarify(id, as: name, error, client)
        } catch let error as ErrorReport where error.code == .severalStores {
            let stores = try await client.products(ProductFilter(named: name.id)).products
                .filter { $0.productIdentifier == name.id }.map(\.store).sorted()
            let found = try await mapConcurrently(stores) { try await client.product(name.id, store: $0) }
            if found.isEmpty { throw error }
            return found
        }
    }

    /// The JSON output of the command: the product, and in `others` the same product of other stores.
    ///
    /// There are others only if several stores of the same priority offer the product, and none was named.
    private struct InfoDocument: Encodable {
        let product: ProductDocument
        let others: [ProductDocument]
        private enum Key: String, CodingKey { case others }

        func encode(to encoder: any Encoder) throws {
            try product.encode(to: encoder)
            guard !others.isEmpty else { return }
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(others, forKey: .others)
        }
    }

    /// Returns the path of the cover of an installed sticker pack; `nil` for other packs.
    private func cover(_ pack: InstalledPack?, _ client: StoreClient) async -> String? {
        guard let pack, pack.kind == .sticker, let found = try? await client.stickerPack(pack.productIdentifier) else {
            return nil
        }
        return found.cover.map { "\(found.path)/\($0)" }
    }

    private func show(_ found: ProductDocument, _ client: StoreClient, _ console: Console) async throws {
        let addresses = found.previews
        if addresses.isEmpty { console.note(console.messages.text("The store has no preview images of this product.")) }
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

extension ProductDocument {
    /// The URLs of the product's preview images, which the catalogue or the details document has.
    var previews: [URL] {
        product.previews.isEmpty ? details?.previews ?? [] : product.previews.map(\.url)
    }
}
