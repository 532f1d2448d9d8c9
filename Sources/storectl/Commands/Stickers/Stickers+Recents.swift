import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

extension Stickers {
    struct Recents: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "recents", abstract: "List recently sent stickers",
            discussion: """
                The newest is first. 'stickers.maximumRecents' limits their number.

                Examples:
                  storectl stickers recents
                  storectl stickers recents --clear
                """)

        @Flag(help: "Forget which stickers were sent")
        var clear = false

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            if clear { try await client.forgetStickers() }
            if clear, !console.json {
                console.confirmation(console.messages.text("Forgot which stickers were sent."))
                return .done
            }
            let recents = try await client.recentStickers()
            Stickers.print(
                InstalledStickerList(stickers: recents), console, empty: console.messages.text("No stickers sent yet."))
            return .done
        }
    }

    struct Frequent: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "frequent", abstract: "List frequently sent stickers",
            discussion: """
                A use counts half as much as one 30 days later.

                Examples:
                  storectl stickers frequent --json
                """)

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let frequent = try await client().frequentStickers()
            Stickers.print(
                InstalledStickerList(stickers: frequent), console, empty: console.messages.text("No stickers sent yet.")
            )
            return .done
        }
    }
}
