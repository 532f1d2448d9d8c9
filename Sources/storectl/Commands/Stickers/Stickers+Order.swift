import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

extension Stickers {
    struct Order: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "order", abstract: "Show or set the order of sticker packs",
            discussion: """
                The named packs become the first ones. Packs that had a place follow, and then all others.

                Examples:
                  storectl stickers order org.example.cups org.example.plates
                  storectl stickers order --reset
                """)

        @Argument(
            help: ArgumentHelp("Product identifiers, or STORE/ID", valueName: "id"),
            completion: CompletionCandidates.packs)
        var ids: [String] = []

        @Flag(help: "Forget the order")
        var reset = false

        @OptionGroup var common: CommonOptions

        func validate() throws {
            if reset, !ids.isEmpty { throw ValidationError(EnglishText.filled("'--reset' takes no packs")) }
        }

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            var order = try await client.stickerPackOrder()
            if reset {
                order = try await client.setStickerPackOrder([])
            } else if !ids.isEmpty {
                let first = try await ProductNames.packs(ids, client)
                order = try await client.setStickerPackOrder(first + order.filter { !first.contains($0) })
            }
            if console.json {
                console.document(StickerPackOrder(packs: order))
            } else if reset {
                console.confirmation(console.messages.text("Forgot the order of the sticker packs."))
            } else if order.isEmpty {
                console.note(console.messages.text("No order set."))
            } else {
                for product in order { console.line(product) }
            }
            return .done
        }
    }
}
