import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

extension Stickers {
    struct Reference: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "reference", abstract: "Print a reference to a sticker for a message",
            discussion: """
                The receiver's program shows the sticker if its pack is installed there, or fetches only that sticker at the
                user's request, from a store that the receiver has added too.

                Examples:
                  storectl stickers reference org.example.cups smile
                """)

        @OptionGroup var sticker: StickerArguments
        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let reference = try await client.stickerReference(to: sticker.name(client))
            if console.json {
                console.document(StickerReferenceDocument(reference: reference))
            } else {
                console.line(reference)
            }
            return .done
        }
    }

    struct Resolve: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "resolve", abstract: "Show what a sticker reference stands for",
            discussion: """
                Nothing is fetched without '--fetch', unless 'stickers.fetchAutomatically' is set. A store can see when a
                sticker is fetched from it.

                Examples:
                  storectl stickers resolve "$REFERENCE"
                  storectl stickers resolve --fetch "$REFERENCE"
                """)

        @Argument(help: ArgumentHelp("Sticker reference from a message", valueName: "reference"))
        var reference: String

        @Flag(help: "Fetch the sticker if it is not on this machine, and nothing else of its pack")
        var fetch = false

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let found =
                fetch ? try await client.fetchSticker(reference) : try await client.resolveSticker(reference)
            if console.json {
                console.document(found)
                return .done
            }
            console.line(found.sticker?.path ?? found.emoji ?? "")
            if let text = Self.note(on: found) { console.note(text) }
            return .done
        }

        /// Returns what to print about a reference beside the path or the replacement text.
        private static func note(on found: StickerResolution) -> String? {
            let id = found.productIdentifier
            let size = found.pack?.size.map { " (\(AmountFormat.bytes($0)))" } ?? ""
            switch found.state {
            case .installed: return nil
            case .replaced: return "The sticker is from another version of \(id)."
            case .cached: return found.pack.map { _ in "Install its pack with 'storectl install \(id)'\(size)." }
            case .available:
                return "The sticker is not on this machine. Fetch it with '--fetch', or its pack with "
                    + "'storectl install \(id)'\(size)."
            case .unknownStore: return "No store in use has this key; \(id) is not installed."
            case .unknownProduct: return "The store does not offer \(id)."
            case .withdrawn: return "The store has withdrawn \(id)."
            }
        }
    }
}
