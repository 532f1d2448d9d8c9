import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

extension Stickers {
    struct Find: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "search", abstract: "Find stickers by words and emoji",
            discussion: """
                A sticker must match all of them: a word in its keywords, description, identifier or pack's name begins with \
                the word, or it stands for the emoji.

                Examples:
                  storectl stickers search happy cat
                  storectl stickers search 😂 --limit 5
                """)

        @Argument(help: ArgumentHelp("Words, emoji and emoticons", valueName: "words"))
        var words: [String] = []

        @Option(
            help: ArgumentHelp("Search only the pack of this product", valueName: "id"),
            completion: CompletionCandidates.packs)
        var pack: String?

        @Option(help: ArgumentHelp("Maximum number of stickers, from 1 to 1000", valueName: "number"))
        var limit = 100

        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard (1...1_000).contains(limit) else {
                throw ValidationError(EnglishText.filled("'--limit' must be from 1 to 1000"))
            }
        }

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            var pack = pack
            if let id = pack { pack = try await ProductNames.packs([id], client)[0] }
            let found = try await client.searchStickers(words.joined(separator: " "), pack: pack, limit: limit)
            Stickers.print(found, console, empty: console.messages.text("No stickers found."))
            if let total = found.total, total > found.stickers.count, !console.json {
                console.note(
                    console.messages.text(
                        total, one: "Showing {number} of {count} sticker.",
                        other: "Showing {number} of {count} stickers.",
                        ["number": "\(found.stickers.count)"]))
            }
            return .done
        }
    }
}
