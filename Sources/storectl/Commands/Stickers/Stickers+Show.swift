import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

extension Stickers {
    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the stickers of a pack",
            discussion: "Examples:\n  storectl stickers show org.example.cups --json")

        @Argument(
            help: ArgumentHelp("Product identifier, or STORE/ID", valueName: "id"),
            completion: CompletionCandidates.packs)
        var id: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let id = try await ProductNames.packs([id], client)[0]
            let pack: StickerPack
            do {
                pack = try await client.stickerPack(id)
            } catch let error as ErrorReport {
                throw await SimilarIdentifiers.clarify(id, Self.clarify(id, error), client)
            }
            if console.json {
                console.document(pack)
                return .done
            }
            let languages = StoreClient.languages()
            let version = pack.version.map { " \($0.text)" } ?? ""
            console.line(
                "\(pack.name.text(in: languages))\(version), \(counted(pack.count, "sticker")), in \(pack.path)")
            var table = Table([
                .init(title: "STICKER", flexible: true), .init(title: "EMOJI"), .init(title: "FILE", flexible: true),
                .init(title: "SIZE", omission: 0), .init(title: "DESCRIPTION", flexible: true, omission: 1),
            ])
            for sticker in pack.stickers {
                table.add(
                    sticker.id, sticker.emoji.joined(separator: " "), sticker.file,
                    sticker.image.map { "\($0.width)×\($0.height)" + ($0.animated ? ", animated" : "") } ?? "-",
                    sticker.description?.text(in: languages) ?? sticker.keywords.joined(separator: ", "))
            }
            console.table(table)
            return .done
        }

        /// Returns an error about an installed pack whose content is refused with the hint to restore the pack.
        ///
        /// Its content was checked when it was installed, so that it was changed or damaged since.
        static func clarify(_ id: String, _ error: ErrorReport) -> ErrorReport {
            guard error.code == .badInformation else { return error }
            return ErrorReport(
                code: error.code, message: error.message, hint: "run 'storectl verify --repair \(id)'")
        }
    }
}
