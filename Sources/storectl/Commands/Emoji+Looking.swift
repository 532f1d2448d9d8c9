import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

extension Emoji {
    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the emoji of a set by category",
            discussion: "Examples:\n  storectl emoji show\n  storectl emoji show org.example.faces --json")

        @Argument(
            help: ArgumentHelp("Product identifier, or STORE/ID (default: the set in use)", valueName: "id"),
            completion: CompletionCandidates.emojiSets)
        var id: String?

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let set = try await client.emojiSet(or: id)
            let categories = try await SimilarIdentifiers.clarifying(id, client) {
                try await client.emojiCategories(of: set)
            }
            if console.json {
                console.document(EmojiCategoryList(categories: categories))
                return .done
            }
            var lines: [String] = []
            for category in categories {
                let count = category.subgroups.reduce(0) { $0 + $1.emoji.count }
                lines.append("\(category.name ?? console.messages.text("Emoji")) (\(count))")
                for subgroup in category.subgroups {
                    if !subgroup.name.isEmpty { lines.append("  \(subgroup.name)") }
                    let indent = subgroup.name.isEmpty ? "  " : "    "
                    for start in stride(from: 0, to: subgroup.emoji.count, by: 20) {
                        lines.append(indent + subgroup.emoji[start...].prefix(20).joined(separator: " "))
                    }
                }
            }
            console.lines(lines)
            return .done
        }
    }

    struct Search: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "search", abstract: "Search emoji by name and keyword",
            discussion: """
                Finds the emoji that have all words; the last may be the beginning of one. Names are those of the user's \
                language, if the set has them.

                Examples:
                  storectl emoji search cat smil
                """)

        @Argument(help: ArgumentHelp("Words to search for, or an emoji", valueName: "word"))
        var words: [String]
        @Option(
            help: ArgumentHelp("Emoji set to search (default: the set in use)", valueName: "id"),
            completion: CompletionCandidates.emojiSets)
        var set: String?
        @Option(help: ArgumentHelp("Maximum number of results", valueName: "n"))
        var limit = 100

        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard (1...1000).contains(limit) else {
                throw ValidationError(EnglishText.filled("--limit must be from 1 to 1000"))
            }
        }

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let id = try await client.emojiSet(or: set)
            let found = try await SimilarIdentifiers.clarifying(set, client) {
                try await client.searchEmoji(words.joined(separator: " "), in: id, limit: limit)
            }
            if console.json {
                console.document(EmojiMatchList(emoji: found))
                return .done
            }
            guard !found.isEmpty else {
                console.note(console.messages.text("No emoji found."))
                return .done
            }
            var table = Table([
                .init(title: console.messages.text("EMOJI")),
                .init(title: console.messages.text("NAME"), flexible: true),
                .init(title: console.messages.text("KEYWORDS"), flexible: true, omission: 0),
            ])
            for emoji in found { table.add(emoji.emoji, emoji.name ?? "-", emoji.keywords.joined(separator: ", ")) }
            console.table(table)
            return .done
        }
    }

    struct Picture: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "picture", abstract: "Save the image of an emoji",
            discussion: """
                Examples:
                  storectl emoji picture 😀
                  storectl emoji picture 1f468-200d-1f33e --output farmer.png
                """)

        @Argument(help: ArgumentHelp("Emoji, or its code points", valueName: "emoji"))
        var emoji: String
        @Option(
            help: ArgumentHelp("Emoji set (default: the set in use)", valueName: "id"),
            completion: CompletionCandidates.emojiSets)
        var set: String?
        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "File to write, which is replaced (default: code points and extension, in this directory)",
                valueName: "file"), completion: .file())
        var output: String?

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let id = try await client.emojiSet(or: set)
            let (image, mediaType) = try await SimilarIdentifiers.clarifying(set, client) {
                try await client.emojiPicture(emoji, of: id)
            }
            let path = output ?? "\(stem).\(fileExtension(mediaType))"
            try Directory.replaceOutput(path, with: image)
            if console.json {
                console.document(["file": FilePaths.resolved(path) ?? path, "mediaType": mediaType ?? ""])
            } else {
                console.confirmation(console.messages.text("Saved '{path}'.", ["path": path]))
            }
            return .done
        }

        /// The code points of the emoji, as in the names of published images.
        private var stem: String {
            let isHexadecimal = emoji.utf8.count >= 4 && emoji.allSatisfy { $0.isHexDigit && $0.isASCII || $0 == "-" }
            if isHexadecimal { return emoji.lowercased() }
            return emoji.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: "-")
        }

        private func fileExtension(_ mediaType: String?) -> String {
            switch mediaType {
            case "image/svg+xml": "svg"
            case "image/jpeg": "jpg"
            case let type?: type.split(separator: "/").last.map(String.init) ?? "png"
            case nil: "png"
            }
        }
    }
}
