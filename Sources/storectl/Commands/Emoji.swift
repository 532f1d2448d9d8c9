import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

struct Emoji: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emoji", abstract: "Show, choose and search emoji sets",
        discussion: "Examples:\n  storectl emoji use org.example.faces\n  storectl emoji search grinning",
        subcommands: [ListSets.self, Use.self, Reset.self, Show.self, Search.self, Picture.self])

    struct ListSets: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List emoji sets",
            discussion: "Examples:\n  storectl emoji list --json")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let sets = try await client.emojiSets()
            if console.json {
                console.document(EmojiSetList(sets: sets))
                return .done
            }
            let use = try await client.emojiSetInUse()
            console.show(use.problem)
            guard !sets.isEmpty else {
                console.note(console.messages.text("No emoji sets installed."))
                return .done
            }
            var table = Table([
                .identifier(title: console.messages.text("ID")),
                .init(title: console.messages.text("NAME"), flexible: true, omission: 3),
                .init(title: console.messages.text("EMOJI"), right: true, omission: 2),
                .init(title: console.messages.text("VERSION"), omission: 0),
                .init(title: console.messages.text("STATE"), omission: 1, style: stateStyle(console.messages)),
            ])
            let languages = StoreClient.languages()
            for set in sets {
                table.add(
                    set.productIdentifier, set.name.text(in: languages), "\(set.count)", set.version?.text ?? "-",
                    set.productIdentifier == use.set ? console.messages.word(for: ProductState.inUse) : "")
            }
            console.table(table)
            return .done
        }
    }

    struct Use: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "use", abstract: "Choose the emoji set to use",
            discussion: "The choice is the setting emoji.set.\n\nExamples:\n  storectl emoji use org.example.faces")

        @Argument(
            help: ArgumentHelp("Product identifier, or STORE/ID", valueName: "id"),
            completion: CompletionCandidates.emojiSets)
        var id: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let id = try await ProductNames.packs([id], client)[0]
            return console.show(
                try await SimilarIdentifiers.clarifying(id, client) { try await client.useEmojiSet(id) })
        }
    }

    struct Reset: StoreCommand {
        static let configuration = CommandConfiguration(commandName: "reset", abstract: "Use no emoji set")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode { console.show(try await client().useEmojiSet(nil)) }
    }
}

extension Console {
    fileprivate func show(_ use: EmojiUse) -> ExitCode {
        if json {
            document(use)
        } else {
            confirmation(
                use.set.map { messages.text("Using the emoji set '{set}'.", ["set": $0]) }
                    ?? messages.text("No emoji set is in use."))
            show(use.problem)
        }
        return .done
    }

    fileprivate func show(_ problem: ErrorReport?) {
        guard let problem else { return }
        warning(problem.message)
        if let hint = problem.hint { self.hint(hint) }
    }
}

extension StoreClient {
    /// Returns the identifier of the set that a command names, or of the set in use if it names none.
    func emojiSet(or named: String?) async throws -> String {
        if let named { return try await ProductNames.packs([named], self)[0] }
        let use = try await emojiSetInUse()
        guard let set = use.set else { throw use.problem ?? ErrorReport(StoreError(.noEmojiSetInUse)) }
        return set
    }
}
