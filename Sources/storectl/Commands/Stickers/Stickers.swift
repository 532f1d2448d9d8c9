import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Stickers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickers", abstract: "Show, search, arrange, import and export stickers",
        discussion: """
            Examples:
              storectl stickers show org.example.cups
              storectl stickers search laugh
              storectl stickers sent org.example.cups smile
              storectl stickers import ./cats.wastickers
              storectl stickers export org.example.cups --to kde \\
                --into ~/.local/share/emoticons
            """,
        subcommands: [
            ListPacks.self, Show.self, Find.self, Recents.self, Frequent.self, Sent.self, Favourite.self, Order.self,
            Reference.self, Resolve.self, Import.self, Export.self, Targets.self,
        ])

    /// Prints a list of stickers of several packs: as a document with `--json`, else as a table.
    ///
    /// - Parameter empty: the text that is printed instead of an empty table.
    static func print(_ list: InstalledStickerList, _ console: Console, empty: String) {
        if console.json {
            console.document(list)
            return
        }
        guard !list.stickers.isEmpty else {
            console.note(empty)
            return
        }
        let languages = StoreClient.languages()
        var table = Table([
            .identifier(title: console.messages.text("PACK")),
            .init(title: console.messages.text("STICKER"), flexible: true),
            .init(title: console.messages.text("EMOJI")),
            .init(title: console.messages.text("DESCRIPTION"), flexible: true, omission: 1),
            .init(title: console.messages.text("SENT"), right: true, omission: 0),
        ])
        for found in list.stickers {
            table.add(
                found.productIdentifier, found.sticker.id, found.sticker.emoji.joined(separator: " "),
                found.sticker.description?.text(in: languages) ?? found.sticker.keywords.joined(separator: ", "),
                found.sentCount == 0 ? "-" : "\(found.sentCount)")
        }
        console.table(table)
    }

    /// The arguments that name one sticker: the product of its pack, and its identifier in the pack.
    struct StickerArguments: ParsableArguments {
        @Argument(
            help: ArgumentHelp("Product identifier, or STORE/ID", valueName: "id"),
            completion: CompletionCandidates.packs)
        var id: String

        @Argument(help: ArgumentHelp("Identifier of a sticker in the pack", valueName: "sticker"))
        var sticker: String

        /// Returns the sticker that the arguments name.
        func name(_ client: StoreClient) async throws -> StickerName {
            StickerName(productIdentifier: try await ProductNames.packs([id], client)[0], sticker: sticker)
        }
    }
}
