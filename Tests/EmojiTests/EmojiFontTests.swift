import Foundation
import StoreEmoji
import StoreEmojiFonts
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Sets that are compiled from a colour font, compared with what fontTools reads there.
@Suite struct EmojiFontTests {
    private static let font = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"
    private static let list = "/usr/share/unicode/emoji/emoji-test.txt"
    private static let annotations = "/usr/share/unicode/cldr/common/annotations"

    private func order() throws -> EmojiOrder {
        let text = try String(contentsOf: URL(filePath: Self.list), encoding: .utf8)
        return try EmojiOrder(testFile: text, file: "emoji-test.txt")
    }

    /// Reads the font's ligatures and images, and prints the code points and the SHA-256 of each emoji's image.
    private static let peer = """
        import hashlib, sys
        from fontTools.ttLib import TTFont
        font = TTFont(sys.argv[1])
        cmap, gsub = font.getBestCmap(), font["GSUB"].table
        ligatures = {}
        for subtable in gsub.LookupList.Lookup[0].SubTable:
            for first, found in subtable.ligatures.items():
                for ligature in found:
                    ligatures[(first, *ligature.Component)] = ligature.LigGlyph
        images = {name: glyph.imageData for strike in font["CBDT"].strikeData for name, glyph in strike.items()}
        for line in open(sys.argv[2], encoding="utf-8"):
            points, _, status = line.partition("#")[0].partition(";")
            if status.strip() not in ("fully-qualified", "component"):
                continue
            glyphs = [cmap.get(int(point, 16)) for point in points.split() if point != "FE0F"]
            while len(glyphs) > 1:
                for end in range(len(glyphs), 1, -1):
                    if tuple(glyphs[:end]) in ligatures:
                        glyphs[:end] = [ligatures[tuple(glyphs[:end])]]
                        break
                else:
                    break
            if len(glyphs) == 1 and glyphs[0] in images:
                print(points.strip(), hashlib.sha256(images[glyphs[0]]).hexdigest(), sep=";")
        """

    @Test(
        .needs(font, debian: "fonts-noto-color-emoji"), .needs(list, debian: "unicode-data"),
        DrawnFont.needsFontTools)
    func `every emoji of Unicode 15 that Debian's Noto font draws has the image that fontTools reads`() async throws {
        let folder = try TemporaryFolder()
        let order = try order()
        var missing: [EmojiSequence] = []
        let set = try EmojiSetDescription(font: OpenFile.open(Self.font), order: order) { missing.append($0) }
        let bytes = try set.compiled()
        #expect(try set.compiled() == bytes)
        let file = try EmojiFile(bytes)
        #expect(file.problems() == [])

        let text = try await DrawnFont.python(Self.peer, [Self.font, Self.list], in: folder)
        let lines = text.split(separator: "\n").map { $0.split(separator: ";") }
        #expect(lines.count > 3_600)
        var different: [String] = []
        for line in lines {
            let sequence = try #require(EmojiSequence(hexadecimal: line[0]))
            let image = file.number(of: sequence).flatMap { file.images($0).first }
            if image.map({ SHA256Digest(of: file.bytes(of: $0)).hex }) != String(line[1]) {
                different.append(String(line[0]))
            }
        }
        #expect(different == [] && lines.count + missing.count == order.entries.filter(\.isPreferred).count)

        // Also the forms without some of the variation selectors.
        #expect(order.entries.filter { entry in file.number(of: entry.sequence) == nil }.map(\.sequence) == missing)
    }

    @Test(
        .needs(list, debian: "unicode-data"), .needs(annotations + "/pt.xml", debian: "unicode-cldr-core"))
    func `annotations of CLDR name the emoji in their language`() throws {
        var set = EmojiSetDescription(try order())
        for language in ["pt", "de", "ja"] {
            let bytes = Array(try Data(contentsOf: URL(filePath: "\(Self.annotations)/\(language).xml")))
            set.add(try EmojiAnnotations(bytes, file: language))
        }
        let face = try #require(set.items.first { $0.sequence.text == "😀" })
        #expect(face.texts["de"]?.name == "grinsendes Gesicht" && face.texts["en"]?.name == "grinning face")
        #expect(face.texts["pt"]?.keywords.contains("rosto risonho") == true)
        let named = set.items.filter { $0.texts["ja"]?.name.isEmpty == false }
        #expect(named.count > 1_200)
    }

    @Test func `a file that is no font, or one without images, is refused`() throws {
        let folder = try TemporaryFolder()
        for content in ["", "no font", "OTTO\u{0}\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"] {
            try folder.directory.put("font", Data(content.utf8))
            let error = #expect(throws: StoreError.self) { try EmojiFont(folder.directory.openFile("font")) }
            #expect(error?.code == .emojiFont)
        }
    }

    @Test(.needs("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", debian: "fonts-dejavu-core"))
    func `a font that only has outlines is refused`() throws {
        let file = try OpenFile.open("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
        let error = #expect(throws: StoreError.self) { try EmojiFont(file) }
        #expect(error?.message.contains("no stored images") == true)
    }

    @Test(.needs(font, debian: "fonts-noto-color-emoji"))
    func `a damaged font is refused, or its images are`() throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(filePath: Self.font))
        var generator = SeededGenerator(seed: 1)
        var (refused, drawn) = (0, 0)
        for round in 0..<20 {
            var bytes = round % 2 == 0 ? whole.prefix(Int.random(in: 0..<whole.count, using: &generator)) : whole
            for _ in 0..<20 where !bytes.isEmpty {
                bytes[Int.random(in: 0..<min(bytes.count, 200_000), using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            try folder.directory.put("font", Data(bytes))
            let font: EmojiFont
            do {
                font = try EmojiFont(folder.directory.openFile("font"))
            } catch {
                #expect((error as? StoreError)?.code == .emojiFont, "\(error)")
                refused += 1
                continue
            }
            for text in ["😀", "👨‍🌾", "🇩🇪"] {
                let emoji = try #require(EmojiSequence(text: text))
                do {
                    guard case .image(let image) = try font.image(of: emoji) else { continue }
                    #expect(try EmojiImage(image.bytes) == image)
                    drawn += 1
                } catch {
                    #expect((error as? StoreError)?.code.rawValue.hasPrefix("content.image-") == true, "\(error)")
                }
            }
        }
        #expect(refused > 0 && drawn > 0, "\(refused) fonts were refused, and \(drawn) images found")
    }
}
