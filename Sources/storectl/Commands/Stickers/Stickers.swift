import ArgumentParser

struct Stickers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickers", abstract: "Show, import and export sticker packs",
        discussion: """
            Examples:
              storectl stickers show org.example.cups
              storectl stickers import ./cats.wastickers
              storectl stickers export org.example.cups --to kde --into ~/.local/share/emoticons
            """,
        subcommands: [ListPacks.self, Show.self, Import.self, Export.self, Targets.self])
}
