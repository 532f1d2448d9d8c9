public import StoreModel
public import StoreOpenAPI

extension StickerPackList: ExampleProviding {
    public static var example: StickerPackList { StickerPackList(packs: [.example]) }
}

extension StickerPack: ExampleProviding {
    public static var example: StickerPack {
        StickerPack(
            productIdentifier: ExampleValues.product,
            name: LocalizedText(byLanguage: ["en": "Cups", "pt": "Chávenas"]), publisher: "Example",
            license: "CC-BY-4.0", version: ExampleValues.version, operation: ExampleValues.operation,
            path: ExampleValues.path, cover: "smile.png", stickers: [.example])
    }
}

extension Sticker {
    fileprivate static var example: Sticker {
        Sticker(
            id: "smile", file: "smile.png", path: ExampleValues.path + "/smile.png",
            url: "/v1/packs/\(ExampleValues.product)/files/smile.png?operation=\(ExampleValues.operation.rawValue)",
            thumbnail: "/v1/packs/\(ExampleValues.product)/thumbnails/smile.png"
                + "?operation=\(ExampleValues.operation.rawValue)",
            emoji: ["🙂"], keywords: ["happy"], description: LocalizedText(byLanguage: ["en": "A smiling cup"]),
            image: StickerImage(mediaType: "image/png", width: 512, height: 512, size: 48_213, animated: false))
    }
}

extension InstalledStickerList: ExampleProviding {
    public static var example: InstalledStickerList { InstalledStickerList(stickers: [.example]) }

    /// The result of a search, which has the number of all matches.
    public static var exampleOfSearch: InstalledStickerList {
        InstalledStickerList(stickers: [.example], total: 1)
    }
}

extension InstalledSticker {
    fileprivate static var example: InstalledSticker {
        InstalledSticker(
            productIdentifier: ExampleValues.product,
            packName: LocalizedText(byLanguage: ["en": "Cups", "pt": "Chávenas"]), sticker: .example, favourite: true,
            sentAt: ExampleValues.endedAt, sentCount: 3)
    }
}

extension SentStickers: ExampleProviding {
    public static var example: SentStickers {
        SentStickers(stickers: [StickerName(productIdentifier: ExampleValues.product, sticker: "smile")])
    }
}

extension StickerPackOrder: ExampleProviding {
    public static var example: StickerPackOrder {
        StickerPackOrder(packs: ["org.example.plates", ExampleValues.product])
    }
}

extension StickerPackOrderRequest: ExampleProviding {
    public static var example: StickerPackOrderRequest {
        StickerPackOrderRequest(packs: StickerPackOrder.example.packs)
    }
}

extension StickerReference {
    static var example: StickerReference {
        // The parts of the example are short and not empty, so that they make a reference.
        StickerReference(
            store: StoreKey(address: ExampleValues.storeAddress), productIdentifier: ExampleValues.product,
            version: ExampleValues.version.text, sticker: "smile", sha256: SHA256Digest(of: []), emoji: "🙂")!
    }
}

extension StickerReferenceDocument: ExampleProviding {
    public static var example: StickerReferenceDocument {
        StickerReferenceDocument(reference: StickerReference.example.text)
    }
}

extension StickerReferenceSpan: ExampleProviding {
    public static var example: StickerReferenceSpan {
        StickerReference.spans(in: MessageTextRequest.example.text, unit: .utf16)[0]
    }
}

extension StickerFetchRequest: ExampleProviding {
    public static var example: StickerFetchRequest { StickerFetchRequest(reference: StickerReference.example.text) }
}

extension StickerResolution: ExampleProviding {
    public static var example: StickerResolution {
        StickerResolution(
            reference: .example, state: .available,
            pack: Pack(
                productIdentifier: ExampleValues.product, store: ExampleValues.store,
                name: LocalizedText(byLanguage: ["en": "Cups", "pt": "Chávenas"]), version: ExampleValues.version,
                size: ExampleValues.size, price: .free, installed: false))
    }

    /// The answer after the image was fetched.
    public static var exampleOfFetched: StickerResolution {
        var resolution = example
        let name = resolution.reference.sha256.hex
        resolution.state = .cached
        resolution.sticker = Sticker(
            id: "smile", file: name, path: "/home/ada/.cache/storectl/stickers/\(name)",
            url: "/v1/stickers/cached/\(name)", thumbnail: "/v1/stickers/cached/\(name)", emoji: ["🙂"],
            image: StickerImage(mediaType: "image/png", width: 512, height: 512, size: 48_213, animated: false))
        return resolution
    }
}
