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
    private static let fontTools = "/usr/lib/python3/dist-packages/fontTools/__init__.py"
    private static let annotations = "/usr/share/unicode/cldr/common/annotations"

    private func order() throws -> EmojiOrder {
        let text = try String(contentsOf: URL(filePath: Self.list), encoding: .utf8)
        return try EmojiOrder(testFile: text, file: "emoji-test.txt")
    }

    private func output(_ program: String, _ arguments: [String], in folder: TemporaryFolder) async throws -> String {
        let process = try ChildProcess(
            program, arguments, environment: [:], output: folder.path + "/output", errors: folder.path + "/errors")
        let code = await process.result()
        let errors = try folder.directory.text("errors")
        #expect(code == 0, "\(errors)")
        return try folder.directory.text("output")
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
        .needs(fontTools, debian: "python3-fonttools"))
    func `every emoji of Unicode 15 that Debian's Noto font draws has the image that fontTools reads`() async throws {
        let folder = try TemporaryFolder()
        let order = try order()
        var missing: [EmojiSequence] = []
        let set = try EmojiSetDescription(font: OpenFile.open(Self.font), order: order) { missing.append($0) }
        let bytes = try set.compiled()
        #expect(try set.compiled() == bytes)
        let file = try EmojiFile(bytes)
        #expect(file.problems() == [])

        let text = try await output(
            "/usr/bin/python3", ["-W", "ignore", "-c", Self.peer, Self.font, Self.list], in: folder)
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

    /// Builds a font with an SVG for two glyphs, one in a document of its own and two in one document.
    private static let drawing = """
        import sys
        from fontTools.fontBuilder import FontBuilder
        from fontTools.ttLib import newTable
        from fontTools.ttLib.tables.S_V_G_ import SVGDocument
        names = [".notdef", "one", "two", "three"]
        font = FontBuilder(1000, isTTF=True)
        font.setupGlyphOrder(names)
        font.setupCharacterMap({0x1F600: "one", 0x1F601: "two", 0x1F602: "three"})
        font.setupGlyf({name: __import__("fontTools.pens.ttGlyphPen", fromlist=["TTGlyphPen"]).TTGlyphPen(None).glyph() for name in names})
        font.setupHorizontalMetrics({name: (1000, 0) for name in names})
        font.setupHorizontalHeader(ascent=800, descent=-200)
        font.setupNameTable({"familyName": "Drawn", "styleName": "Regular"})
        font.setupOS2()
        font.setupPost()
        def drawing(*glyphs):
            body = "".join(f'<g id="glyph{glyph}"><circle r="{glyph}"/></g>' for glyph in glyphs)
            return f'<svg xmlns="http://www.w3.org/2000/svg">{body}</svg>'
        table = newTable("SVG ")
        table.docList = [SVGDocument(drawing(1), 1, 1, False), SVGDocument(drawing(2, 3), 2, 3, False)]
        font.font["SVG "] = table
        font.save(sys.argv[1])
        """

    @Test(.needs(fontTools, debian: "python3-fonttools"))
    func `an SVG of one glyph is read, and a drawing that several glyphs share is not`() async throws {
        let folder = try TemporaryFolder()
        _ = try await output(
            "/usr/bin/python3", ["-W", "ignore", "-c", Self.drawing, folder.path + "/font.ttf"], in: folder)
        let font = try EmojiFont(folder.directory.openFile("font.ttf"))
        func result(_ text: String) throws -> EmojiFont.Result {
            try font.image(of: #require(EmojiSequence(text: text)))
        }
        guard case .image(let image) = try result("😀") else {
            Issue.record("no image")
            return
        }
        #expect(image.format == .svg && String(decoding: image.bytes, as: UTF8.self).contains("r=\"1\""))
        #expect(try result("😁") == .noImage && result("😃") == .noGlyph && result("😀😁") == .noGlyph)
    }

    @Test(.needs(font, debian: "fonts-noto-color-emoji"))
    func `a damaged font is refused, or its images are`() throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(filePath: Self.font))
        var generator = SeededGenerator(seed: 1)
        for round in 0..<20 {
            var bytes = round % 2 == 0 ? whole.prefix(Int.random(in: 0..<whole.count, using: &generator)) : whole
            for _ in 0..<20 where !bytes.isEmpty {
                bytes[Int.random(in: 0..<min(bytes.count, 200_000), using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            try folder.directory.put("font", Data(bytes))
            guard let font = try? EmojiFont(folder.directory.openFile("font")) else { continue }
            for text in ["😀", "👨‍🌾", "🇩🇪"] { _ = try? font.image(of: #require(EmojiSequence(text: text))) }
        }
    }
}
