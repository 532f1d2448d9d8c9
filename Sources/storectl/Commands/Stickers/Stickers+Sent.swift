import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

extension Stickers {
    struct Sent: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "sent", abstract: "Record that a sticker was sent",
            discussion: """
                It becomes the first of the recent stickers.

                Examples:
                  storectl stickers sent org.example.cups smile
                """)

        @OptionGroup var sticker: StickerArguments
        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let name = try await sticker.name(client)
            let recents = try await client.stickersSent([name])
            if console.json {
                console.document(InstalledStickerList(stickers: recents))
            } else {
                console.confirmation(
                    console.messages.text(
                        "Recorded the sticker {sticker} of {product}.",
                        ["sticker": name.sticker, "product": name.productIdentifier]))
            }
            return .done
        }
    }
}
