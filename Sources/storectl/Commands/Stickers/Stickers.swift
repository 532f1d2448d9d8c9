import ArgumentParser

struct Stickers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickers", abstract: "Show installed sticker packs",
        discussion: "Examples:\n  storectl stickers show org.example.cups",
        subcommands: [ListPacks.self, Show.self])
}
