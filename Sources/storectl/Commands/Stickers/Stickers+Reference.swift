import ArgumentParser
import StoreAPI
import StoreClient
import StoreMessages
import StoreModel
import StoreTerminal

extension Stickers {
    struct Reference: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "reference", abstract: "Print a reference to a sticker for a message",
            discussion: """
                The receiver's program shows the sticker if its pack is installed there, or fetches only that sticker at the \
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
                Nothing is fetched without '--fetch', unless 'stickers.fetchAutomatically' is set. A store can see when a \
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
            if let text = Self.note(on: found, console.messages) { console.note(text) }
            return .done
        }

        /// Returns what to print about a reference beside the path or the replacement text.
        private static func note(on found: StickerResolution, _ messages: Messages) -> String? {
            let values = [
                "product": found.productIdentifier,
                "size": found.pack?.size.map { AmountFormat.bytes($0, messages) } ?? "",
            ]
            let hasSize = found.pack?.size != nil
            return switch found.state {
            case .installed: nil
            case .replaced: messages.text("The sticker is from another version of {product}.", values)
            case .cached where found.pack == nil: nil
            case .cached:
                hasSize
                    ? messages.text("Install its pack with 'storectl install {product}' ({size}).", values)
                    : messages.text("Install its pack with 'storectl install {product}'.", values)
            case .available:
                hasSize
                    ? messages.text(
                        "The sticker is not on this machine. Fetch it with '--fetch', or its pack with "
                            + "'storectl install {product}' ({size}).", values)
                    : messages.text(
                        "The sticker is not on this machine. Fetch it with '--fetch', or its pack with "
                            + "'storectl install {product}'.", values)
            case .unknownStore: messages.text("No store in use has this key; {product} is not installed.", values)
            case .unknownProduct: messages.text("The store does not offer {product}.", values)
            case .withdrawn: messages.text("The store has withdrawn {product}.", values)
            }
        }
    }
}
