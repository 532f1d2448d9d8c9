import FoundationEssentials
import StoreAPI
import StoreModel
import Testing

/// The fast encoding of lists of stickers, compared with that of every other document.
@Suite struct StickerListJSONTests {
    @Test(arguments: ["", "a", "\"\\/", "\u{0}\u{8}\t\n\u{c}\r\u{1f}\u{7f}", "é👩‍🚀\u{2028}", "a\nb"])
    func `a list of stickers has the bytes of the usual encoder`(text: String) throws {
        let image = StickerImage(mediaType: "image/" + text, width: 1, height: -2, size: .max, animated: true)
        let translated = LocalizedText(byLanguage: ["pt": text, "en": "a", "": "b", "zh-Hant": "c", "pt-BR": "d"])
        let plain = Sticker(id: "a", file: "a.png")
        let full = Sticker(
            id: text, file: text, path: "/" + text, url: text, thumbnail: text, emoji: [text, "🙂"],
            keywords: [text], description: translated, image: image)
        let stickers = [
            InstalledSticker(productIdentifier: "a", packName: LocalizedText(text), sticker: plain),
            InstalledSticker(
                productIdentifier: text, packName: LocalizedText(byLanguage: ["en": text]), sticker: full,
                favourite: true, sentAt: Date(timeIntervalSince1970: 1_700_000_000), sentCount: 3),
            InstalledSticker(
                productIdentifier: "b", packName: LocalizedText(byLanguage: [:]), sticker: plain,
                sentAt: Date(timeIntervalSince1970: 1e30)),
        ]
        for list in [
            InstalledStickerList(stickers: []), InstalledStickerList(stickers: stickers),
            InstalledStickerList(stickers: Array(stickers.prefix(1)), total: 7),
        ] {
            let (fast, usual) = (try list.json(), try JSON.encode(list))
            #expect(String(decoding: fast, as: UTF8.self) == String(decoding: usual, as: UTF8.self))
        }
    }
}
