import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StorePackFormats

/// Descriptions of so many stickers that more than linear time would be minutes.
@Suite(.hangGuard) struct LargeDescriptionTests {
    /// The description of a pack: its beginning, one sticker, in which `#` stands for a number, and its end.
    struct Description: Sendable, CustomTestStringConvertible {
        let format: String
        let file: String
        let parts: (start: String, sticker: String, end: String)
        var separator = ","

        var testDescription: String { "\(format), \(file)" }

        func text(stickers count: Int) -> String {
            let stickers = (0..<count).map { parts.sticker.replacing("#", with: "\($0)") }
            return parts.start + stickers.joined(separator: separator) + parts.end
        }
    }

    private static let descriptions = [
        Description(
            format: "discord", file: "guild.json",
            parts: (#"{"id": "1", "name": "a", "emojis": ["#, ##"{"id": "#", "name": "n#"}"##, "]}")),
        Description(format: "line", file: "productInfo.meta", parts: (#"{"stickers": ["#, ##"{"id": #}"##, "]}")),
        Description(
            format: "matrix", file: "picker.json",
            parts: (#"{"stickers": ["#, ##"{"id": "n#", "url": "mxc://a/#"}"##, "]}")),
        Description(
            format: "matrix", file: "images.json", parts: (#"{"images": {"#, ##""#": {"url": "mxc://a/#"}"##, "}}")),
        Description(format: "telegram", file: "set.json", parts: (#"{"stickers": ["#, ##"{"file_id": "#"}"##, "]}")),
        Description(
            format: "xmpp", file: "pack.xml",
            parts: ("<pack xmlns='urn:xmpp:stickers:0'>", "<item><file><hash>#-</hash></file></item>", "</pack>"),
            separator: "\n"),
        Description(
            format: "whatsapp", file: "contents.json",
            parts: (#"{"sticker_packs": [{"stickers": ["#, ##"{"image_file": "#.png"}"##, "]}]}")),
        Description(format: "misskey", file: "meta.json", parts: (#"{"emojis": ["#, ##"{"fileName": "#"}"##, "]}")),
        Description(format: "pleroma", file: "pack.json", parts: (#"{"files": {"#, ##""#": "#.png""##, "}}")),
        Description(
            format: "kde", file: "emoticons.xml", parts: ("<map>", "<emoticon file='#.png'/>", "</map>"),
            separator: "\n"),
        Description(
            format: "jisp", file: "icondef.xml",
            parts: ("<icondef>", "<icon><object mime='image/png'>#.png</object></icon>", "</icondef>"),
            separator: "\n"),
        Description(format: "pidgin", file: "theme", parts: ("[a]\n", "#.png :#", "\n"), separator: "\n"),
    ]

    private func drafts(_ format: String, _ fixture: ImportFixture) throws -> [PackDraft] {
        let source = try ImportSource(fixture.source.path)
        return try PackFormats.importer(of: format, for: source).packs(in: source, key: nil)
    }

    @Test(arguments: descriptions)
    func `a description of too many stickers is refused before a draft of each is made`(
        description: Description
    ) throws {
        let fixture = try ImportFixture([description.file: description.text(stickers: StickerPack.maximumCount + 1)])
        let error = #expect(throws: StoreError.self) { try drafts(description.format, fixture) }
        #expect(error?.code == .badInformation)
    }

    @Test func `the images of many stickers are found among many files`() throws {
        let formats: Set = ["discord", "line", "matrix", "telegram", "xmpp"]
        let described = Self.descriptions.filter { formats.contains($0.format) }
        let fixture = try ImportFixture(
            Dictionary(
                uniqueKeysWithValues: described.map { ($0.file, $0.text(stickers: StickerPack.maximumCount)) }
                    + (0..<5_000).map { ("\($0).png", "") }))
        for format in formats {
            for draft in try drafts(format, fixture) {
                #expect(draft.stickers.count == StickerPack.maximumCount)
                #expect(draft.stickers[4_999].image.path == "4999.png", "\(format)")
            }
        }
    }

    @Test func `an image that a description names many times is read once`() throws {
        let stickers = Array(repeating: #"{"image_file": "a.png"}"#, count: 10_000).joined(separator: ",")
        let fixture = try ImportFixture(["contents.json": #"{"sticker_packs": [{"stickers": [\#(stickers)]}]}"#])
        let image = ImageForge.png(3, 3, ImageForge.chunk("teXt", [UInt8](repeating: 0, count: 16 << 20)))
        try fixture.source.directory.put("a.png", Data(image))
        let report = try fixture.run()
        #expect(report.packs[0].count == 10_000 && report.packs[0].files.allSatisfy { $0.outcome == .taken })
        #expect(try fixture.stickers(of: report.packs[0]).allSatisfy { $0.file == "a.png" })
    }

    @Test(arguments: ["deltachat", "pidgin"])
    func `each of many stickers with the same file name is exported under a name of its own`(format: String) throws {
        let folder = try TemporaryFolder()
        // Longer than what Pidgin reads as one word, so that the names are cut off.
        let file = String(repeating: "a", count: 80) + ".png"
        let stickers = (0..<StickerPack.maximumCount).map { Sticker(id: "\($0)", file: file) }
        let pack = StickerPack(
            productIdentifier: "org.example.a", name: LocalizedText("a"), path: folder.path, cover: nil,
            stickers: stickers)
        let exported = try PackFormats.exporter(of: format).files(
            of: ExportedPack(pack, in: folder.directory), named: "a")
        #expect(exported.leftOut.isEmpty)
        #expect(exported.files.keys.filter { $0.hasSuffix(".png") }.count == StickerPack.maximumCount)
    }

    @Test func `names that differ only in case are numbered together`() {
        var names = UniqueNames()
        let made = (0..<1 << 14).map { number in
            let wanted = (0..<14).map { number >> $0 & 1 == 0 ? "a" : "A" }.joined()
            return names.make(wanted, comparedBy: { $0.lowercased() }, numbered: { "\(wanted)-\($0)" })
        }
        #expect(made[0] == String(repeating: "a", count: 14) && made[1].hasSuffix("-2"))
        #expect(made[made.count - 1] == String(repeating: "A", count: 14) + "-\(made.count)")
        #expect(Set(made.map { $0.lowercased() }).count == made.count)
    }

    @Test func `many sections and texts of a theme are read, each once`() {
        let theme = PidginTheme((0..<100_000).map { "[s\($0)]\na.png t\($0)\na.png t\($0)\n" }.joined())
        #expect(theme.smileys.count == 1 && theme.notes.count == 1)
        let (emoji, words) = theme.smileys.flatMap(\.texts).dividedIntoEmoji()
        #expect(emoji == [] && words == (0..<100_000).map { "t\($0)" })
    }
}
