public import StoreModel
public import StoreOpenAPI

/// A JSON document with a sticker reference, the text by which a message refers to a sticker.
public struct StickerReferenceDocument: Sendable, Codable {
    /// The reference, as a message carries it.
    public var reference: String
    /// Creates a document with a sticker reference.
    public init(reference: String) { self.reference = reference }
}

extension StickerReferenceDocument: SchemaProviding {
    public static let schemaName = "StickerReference"
    public static let schema = Schema.document(
        "A reference to a sticker, for a message.",
        [.required("reference", .nonEmptyText, "Only characters that need no escaping in a URL.")])
}

/// The body of a request that fetches the sticker that a reference stands for.
public struct StickerFetchRequest: Sendable, Codable {
    /// The reference, as a message has it.
    public var reference: String
    /// Creates the body of a request that fetches the sticker that a reference stands for.
    public init(reference: String) { self.reference = reference }
}

extension StickerFetchRequest: SchemaProviding {
    public static let schemaName = "StickerFetchRequest"
    public static let schema = Schema.request(
        "The sticker to fetch.", [.required("reference", .nonEmptyText, "The reference alone, as the message has it.")])
}

extension StickerResolution: SchemaProviding {
    public static let schemaName = "StickerResolution"
    public static let schema = Schema.document(
        "What a sticker reference stands for on this machine.",
        [
            .required("reference", .nonEmptyText),
            .required(
                "state", .enumeration(of: State.self),
                "`installed`: the referenced version of the pack is installed. `replaced`: another version is, which has "
                    + "the same image. `cached`: the image was fetched before. `available`: `POST` fetches it, at the "
                    + "user's request. `unknownStore`, `unknownProduct`, `withdrawn`: only `emoji` can be shown."),
            .required(
                "emoji", .nonEmptyText.nullable,
                "The sender's replacement text; show it where there is no `sticker`. `null` if the sender sent none."),
            .required("productIdentifier", .nonEmptyText),
            .required(
                "sticker", .reference(to: Sticker.self).nullable, "The image; `null` if it is not on this machine."),
            .required(
                "pack", .reference(to: Pack.self).nullable,
                "The pack to offer to the user; `null` if no added store has it and it is not installed."),
        ])
}

extension StickerResolution.Pack: SchemaProviding {
    public static let schemaName = "ReferencedPack"
    public static let schema = Schema.document(
        "The pack of a referenced sticker.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("store", .text.nullable, "The store that offers the pack, or that it was installed from."),
            .required("name", .localizedText, Schema.localizedNote("The pack's name.")),
            .required("version", .version),
            .required(
                "size", .count.nullable, "In bytes, of the archive or of the installed files; `null` if unknown."),
            .required("price", .text, "An amount as the store writes it, or `free`."),
            .required("installed", .boolean),
        ])
}
