public import StoreModel
public import StoreOpenAPI

/// A JSON document with stickers of several packs: a list of the user's, or the result of a search.
public struct InstalledStickerList: Sendable, Codable {
    /// The stickers, in the order of the list.
    public var stickers: [InstalledSticker]
    /// The number of stickers that match a search, of which the first are in the list; `nil` for other lists.
    public var total: Int?

    /// Creates a list of stickers of several packs.
    public init(stickers: [InstalledSticker], total: Int? = nil) {
        self.stickers = stickers
        self.total = total
    }
}

extension InstalledStickerList: SchemaProviding {
    public static let schemaName = "InstalledStickerList"
    public static let schema = Schema.document(
        "Stickers of several packs.",
        [
            .required("stickers", .array(of: InstalledSticker.self)),
            .optional("total", .count, "The number of stickers that match a search; only in its result."),
        ])
}

extension InstalledSticker: SchemaProviding {
    public static let schemaName = "InstalledSticker"
    public static let schema = Schema.document(
        "A sticker of an installed pack, with its use.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("packName", .localizedText, Schema.localizedNote("The name of the sticker's pack.")),
            .required("sticker", .reference(to: Sticker.self)),
            .required("favourite", .boolean),
            .required("sentAt", .dateTime.nullable, "When it was sent last; `null` if it never was."),
            .required("sentCount", .count, "How often it was sent."),
        ])
}

extension StickerName: SchemaProviding {
    public static let schemaName = "StickerName"
    public static let schema = Schema.document(
        "The name of a sticker among all packs.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("sticker", .nonEmptyText, "The `id` of the sticker."),
        ])
}

extension StickerLists: SchemaProviding {
    public static let schemaName = "StickerLists"
    public static let schema = Schema.document(
        "The user's lists of stickers and packs that are installed.",
        [
            .required("recents", .array(of: StickerName.self), "Those that were sent last, the newest first."),
            .required("frequent", .array(of: StickerName.self), "Those that were sent most often."),
            .required("favourites", .array(of: StickerName.self), "In the order in which they were added."),
            .required(
                "order", .array(of: .nonEmptyText),
                "The `productIdentifier`s of the packs whose order the user has set; the others follow."),
        ])
}

/// The body of a request that records that stickers were sent.
public struct SentStickers: Sendable, Codable {
    /// The stickers in the order in which they were sent.
    public var stickers: [StickerName]
    /// Creates the body of a request that records that stickers were sent.
    public init(stickers: [StickerName]) { self.stickers = stickers }
}

extension SentStickers: SchemaProviding {
    public static let schemaName = "SentStickers"
    public static let schema = Schema.request(
        "Stickers that were sent.",
        [.required("stickers", .array(of: StickerName.self), "In the order in which they were sent.")])
}

/// A JSON document with the user's order of sticker packs.
public struct StickerPackOrder: Sendable, Codable {
    /// The product identifiers of the packs whose order the user has set, in order.
    public var packs: [String]
    /// Creates a document with the user's order of sticker packs.
    public init(packs: [String]) { self.packs = packs }
}

extension StickerPackOrder: SchemaProviding {
    public static let schemaName = "StickerPackOrder"
    public static let schema = Schema.document(
        "The order of the sticker packs.",
        [
            .required(
                "packs", .array(of: .nonEmptyText),
                "The `productIdentifier`s of packs in order; the other packs follow in the order of their directories.")
        ])
}

/// The body of a request that sets the user's order of sticker packs.
public struct StickerPackOrderRequest: Sendable, Codable {
    /// The product identifiers of the packs in order.
    public var packs: [String]
    /// Creates the body of a request that sets the user's order of sticker packs.
    public init(packs: [String]) { self.packs = packs }
}

extension StickerPackOrderRequest: SchemaProviding {
    public static let schemaName = "StickerPackOrderRequest"
    public static let schema = Schema.request(
        "A new order of the sticker packs.",
        [
            .required(
                "packs", .array(of: .nonEmptyText),
                "The `productIdentifier`s of packs in order; the other packs follow. An empty list forgets the order.")
        ])
}
