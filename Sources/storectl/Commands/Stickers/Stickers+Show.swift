import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

extension Stickers {
    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the stickers of a pack",
            discussion: """
                With --picture, a contact sheet is written to a file: a PNG with the stickers of the pack in a grid.

                Examples:
                  storectl stickers show org.example.cups
                  storectl stickers show org.example.cups --picture cups.png
                """)

        @Argument(
            help: ArgumentHelp("Product identifier, or STORE/ID", valueName: "id"),
            completion: CompletionCandidates.packs)
        var id: String

        @Option(
            help: ArgumentHelp(
                "PNG file to write, which is replaced, with all stickers in a grid", valueName: "file"),
            completion: .file())
        var picture: String?

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            if let picture, !Self.mayBePNG(picture) {
                throw StoreError(.contactSheetNotPNG, ["path": .path(picture)])
            }
            let client = try client()
            let id = try await ProductNames.packs([id], client)[0]
            let pack: StickerPack
            do {
                pack = try await client.stickerPack(id)
            } catch let error as ErrorReport {
                throw await SimilarIdentifiers.clarify(id, Self.clarify(id, error), client)
            }
            if let picture {
                let sheet = try await client.stickerSheet(id)
                try Directory.replaceOutput(picture, with: sheet)
            }
            if console.json {
                console.document(pack)
                return .done
            }
            if let picture {
                console.confirmation(console.messages.text("Saved '{path}'.", ["path": picture]))
                return .done
            }
            let languages = StoreClient.languages()
            let version = pack.version.map { " \($0.text)" } ?? ""
            console.line(
                console.messages.text(
                    "{name}, {stickers}, in {path}",
                    [
                        "name": pack.name.text(in: languages) + version,
                        "stickers": console.messages.stickers(pack.count), "path": pack.path,
                    ]))
            var table = Table([
                .init(title: console.messages.text("STICKER"), flexible: true),
                .init(title: console.messages.text("EMOJI")),
                .init(title: console.messages.text("FILE"), flexible: true),
                .init(title: console.messages.text("SIZE"), omission: 0),
                .init(title: console.messages.text("DESCRIPTION"), flexible: true, omission: 1),
            ])
            for sticker in pack.stickers {
                table.add(
                    sticker.id, sticker.emoji.joined(separator: " "), sticker.file,
                    sticker.image.map {
                        "\($0.width)×\($0.height)" + ($0.animated ? ", \(console.messages.text("animated"))" : "")
                    } ?? "-",
                    sticker.description?.text(in: languages) ?? sticker.keywords.joined(separator: ", "))
            }
            console.table(table)
            return .done
        }

        /// Returns whether the name of a file is that of a PNG, which it also is without an extension.
        static func mayBePNG(_ path: String) -> Bool {
            let name = FilePaths.split(path).name
            // A dot at the beginning of a name begins no extension.
            guard let dot = name.dropFirst().lastIndex(of: ".") else { return true }
            return name[dot...].lowercased() == ".png"
        }

        /// Returns an error about an installed pack whose content is refused with the hint to restore the pack.
        ///
        /// Its content was checked when it was installed, so that it was changed or damaged since.
        static func clarify(_ id: String, _ error: ErrorReport) -> ErrorReport {
            guard error.code == .badInformation else { return error }
            return ErrorReport(
                code: error.code, message: error.message,
                hint: EnglishText.filled("run 'storectl verify --repair {product}'", ["product": id]))
        }
    }
}
