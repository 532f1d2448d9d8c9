import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

extension Stickers {
    struct ListPacks: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List sticker packs",
            discussion: "Examples:\n  storectl stickers list --json")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let packs = try await client().stickerPacks()
            if console.json {
                console.document(StickerPackList(packs: packs))
                return .done
            }
            guard !packs.isEmpty else {
                console.note(console.messages.text("No sticker packs installed."))
                return .done
            }
            var table = Table([
                .identifier(title: console.messages.text("ID")),
                .init(title: console.messages.text("NAME"), flexible: true, omission: 2),
                .init(title: console.messages.text("STICKERS"), right: true, omission: 1),
                .init(title: console.messages.text("PUBLISHER"), flexible: true, omission: 0),
            ])
            let languages = StoreClient.languages()
            for pack in packs {
                table.add(pack.productIdentifier, pack.name.text(in: languages), "\(pack.count)", pack.publisher ?? "-")
            }
            console.table(table)
            return .done
        }
    }
}
