import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

extension Stickers {
    struct Favourite: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "favourite", abstract: "List or change favourite stickers",
            discussion: """
                Examples:
                  storectl stickers favourite
                  storectl stickers favourite org.example.cups smile
                  storectl stickers favourite --remove org.example.cups smile
                """)

        @Argument(
            help: ArgumentHelp("Product identifier, or STORE/ID", valueName: "id"),
            completion: CompletionCandidates.packs)
        var id: String?

        @Argument(help: ArgumentHelp("Identifier of a sticker in the pack", valueName: "sticker"))
        var sticker: String?

        @Flag(help: "Remove the sticker from the favourites")
        var remove = false

        @OptionGroup var common: CommonOptions

        func validate() throws {
            if id != nil, sticker == nil {
                throw ValidationError(
                    EnglishText.filled(
                        "missing expected argument '{argument}'", ["argument": "<sticker>"]))
            }
            if remove, id == nil { throw ValidationError(EnglishText.filled("'--remove' needs a pack and a sticker")) }
        }

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            if let id, let sticker {
                let product = try await ProductNames.packs([id], client)[0]
                try await client.setFavourite(StickerName(productIdentifier: product, sticker: sticker), !remove)
                if !console.json {
                    let values = ["sticker": sticker, "product": product]
                    console.confirmation(
                        remove
                            ? console.messages.text(
                                "Removed the sticker {sticker} of {product} from the favourites.", values)
                            : console.messages.text(
                                "Added the sticker {sticker} of {product} to the favourites.", values))
                    return .done
                }
            }
            let favourites = try await client.favouriteStickers()
            Stickers.print(
                InstalledStickerList(stickers: favourites), console,
                empty: console.messages.text("No favourite stickers."))
            return .done
        }
    }
}
