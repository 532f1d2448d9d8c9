import Foundation
import StoreEmoji
import StoreEmojiFonts
import StoreImages
import StoreModel
import StoreSystem
import StoreTestSupport
import StoreWorker
import Testing

/// The SVG images of emoji in fonts (OpenType, table SVG).
@Suite struct DrawnEmojiTests {
    private static let svg = #"xmlns="http://www.w3.org/2000/svg""#
    private static let xlink = #"xmlns:xlink="http://www.w3.org/1999/xlink""#
    /// The start of a picture: the glyph's box in units of the design space, and an em of the document.
    private static let start = #" width="128" height="128" viewBox="0 -800 1000 1000"><svg"#
    private static let em = #" width="1000" height="1000" overflow="visible">"#
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ documents: [DrawnFont.Document], palette: [[Int]] = []) async throws -> EmojiFont {
        let path = try await DrawnFont(documents: documents, palette: palette).build(in: folder)
        return try EmojiFont(OpenFile.open(path))
    }

    /// Returns the SVG of a glyph; `nil` if there is none.
    private func picture(_ glyph: UInt32, of font: EmojiFont) throws -> String? {
        guard case .image(let image) = try font.image(of: #require(EmojiSequence(codePoints: [0x1F5FF + glyph]))) else {
            return nil
        }
        #expect(image.format == .svg)
        return String(decoding: image.bytes, as: UTF8.self)
    }

    @Test(DrawnFont.needsFontTools)
    func `of a document with several glyphs, a picture shows one, with all that it refers to`() async throws {
        let document = """
            <?xml version="1.0"?><!DOCTYPE svg>
            <svg \(Self.svg) \(Self.xlink) xmlns:a="http://example.org/editor" id="top" version="1.1" a:data="x">
            <style><![CDATA[.a > .b { stroke: url(#line) }]]></style><a:data>text</a:data>
            <defs><linearGradient id="line"><stop offset="0"/></linearGradient><path id="unused" d="M0 0"/>
            <clipPath id="clip"><circle r="9"/></clipPath></defs>
            <g class="a" transform="scale(2)"><g id="glyph1" class="b"><text>a &amp; &lt;b</text></g>
            <g id="glyph2" clip-path="url('#clip')"><use xlink:href="#glyph1"/></g></g>
            <defs><g id="glyph12"><rect/></g></defs>
            </svg>
            """
        let font = try await open([DrawnFont.Document(document, 1...13)])
        let head = "<svg \(Self.svg) \(Self.xlink)\(Self.start) version=\"1.1\"\(Self.em)"
        let style = "<style>.a &gt; .b { stroke: url(#line) }</style>"
        let line = #"<linearGradient id="line"><stop offset="0"/></linearGradient>"#
        let group = #"<g class="a" transform="scale(2)">"#
        let first = #"<g id="glyph1" class="b"><text>a &amp; &lt;b</text></g>"#
        #expect(
            try picture(1, of: font)
                == head + "<defs>\(style)<defs>\(line)</defs></defs>\(group)\(first)</g></svg></svg>")
        #expect(
            try picture(2, of: font)
                == head + "<defs>\(style)<defs>\(line)<clipPath id=\"clip\"><circle r=\"9\"/></clipPath></defs>"
                + "\(group)\(first)</g></defs>"
                + ##"\##(group)<g id="glyph2" clip-path="url(&apos;#clip&apos;)"><use xlink:href="#glyph1"/></g></g>"##
                + "</svg></svg>")
        // A glyph is drawn even where definitions are not.
        #expect(
            try picture(12, of: font)
                == head + "<defs>\(style)<defs>\(line)</defs></defs><g><g id=\"glyph12\"><rect/></g></g></svg></svg>")
        // The document has no such element, not even as the beginning of another identifier.
        #expect(try picture(3, of: font) == nil && picture(13, of: font) == nil)
    }

    @Test(DrawnFont.needsFontTools, arguments: [false, true])
    func `a document that is one glyph keeps its view box, also if it is compressed`(isCompressed: Bool) async throws {
        let attributes = #"id="glyph1" x="9" viewBox="0 0 64 64" width="50%" height="700""#
        let document = #"<svg \#(Self.svg) \#(attributes)><circle r="9"/></svg>"#
        var font = DrawnFont(documents: [DrawnFont.Document(document, 1...1, isCompressed: isCompressed)])
        font.advance = 1250
        let path = try await font.build(in: folder)
        #expect(
            try picture(1, of: EmojiFont(OpenFile.open(path)))
                == "<svg \(Self.svg)"
                + #" width="160" height="128" viewBox="0 -800 1250 1000"><svg id="glyph1" viewBox="0 0 64 64" width="500.0""#
                + #" height="700" overflow="visible"><circle r="9"/></svg></svg>"#)
    }

    @Test(DrawnFont.needsFontTools) func `colours of the font's palette are written out`() async throws {
        let document = """
            <svg \(Self.svg)><style>.a { fill: var(--color0, red) }</style><g id="glyph1"><path \
            fill="var( --color1 )" stroke="var(--color7,rgb(1, 2, 3))" color="var(--color8)"/></g></svg>
            """
        let font = try await open(
            [DrawnFont.Document(document, 1...1)], palette: [[255, 128, 0, 255], [1, 2, 3, 64]])
        #expect(
            try picture(1, of: font)
                == "<svg \(Self.svg)\(Self.start)\(Self.em)<defs><style>.a { fill: rgb(255, 128, 0) }</style></defs>"
                + #"<g id="glyph1"><path fill="rgba(1, 2, 3, 0.251)" stroke="rgb(1, 2, 3)" color="currentColor"/></g>"#
                + "</svg></svg>")
    }

    // MARK: Refused

    private static let order = """
        # group: Faces
        # subgroup: all
        1F600 ; fully-qualified # 😀 E1.0 good
        1F601 ; fully-qualified # 😁 E1.0 bad
        1F602 ; fully-qualified # 😂 E1.0 missing
        """

    private static func drawing(_ content: String, _ attributes: String = "") -> String {
        #"<svg \#(svg) \#(xlink) \#(attributes)><g id="glyph2">\#(content)</g></svg>"#
    }

    private static let hostile: [(svg: String, isCompressed: Bool, code: ErrorCode)] = [
        (drawing("<script>alert(1)</script>"), false, .svgActive),
        (drawing(#"<path onclick="alert(1)"/>"#), true, .svgActive),
        (drawing("", #"onload="alert(1)""#), false, .svgActive),
        (drawing(#"<image xlink:href="http://example.org/a.png"/>"#), false, .svgActive),
        (drawing(#"<path fill="url(file:///etc/passwd#a)"/>"#), false, .svgActive),
        (drawing("").replacing("<g ", with: "<style>@import 'a.css';</style><g "), false, .svgActive),
        (drawing("<foreignObject/>"), false, .svgActive),
        (drawing(##"<use href="#glyph2"/>"##), false, .svgActive),
        (#"<!DOCTYPE svg [<!ENTITY a "b">]>"# + drawing("<text>&a;</text>"), false, .svgActive),
        (drawing("<g>"), false, .imageDamaged),
        ("<html/>", false, .imageDamaged),
        // A gzip file of a few kilobytes, and a document without compression, over the limit of 8 MiB.
        (drawing(String(repeating: " ", count: 9 << 20)), true, .imageTooLarge),
        (drawing(String(repeating: " ", count: 9 << 20)), false, .imageTooLarge),
        (drawing(String(repeating: "<g>", count: 300) + String(repeating: "</g>", count: 300)), true, .imageTooLarge),
        (drawing("", "a='b' a='c'"), false, .imageDamaged),
    ]

    @Test(DrawnFont.needsFontTools, .needsConfinement, arguments: hostile)
    func `a hostile or damaged SVG is refused, and the other emoji are taken`(
        svg: String, isCompressed: Bool, code: ErrorCode
    ) async throws {
        let good = #"<svg \#(Self.svg)><g id="glyph1"><circle r="1"/></g></svg>"#
        let path = try await DrawnFont(
            documents: [
                DrawnFont.Document(good, 1...1), DrawnFont.Document(svg, 2...2, isCompressed: isCompressed),
            ]
        ).build(in: folder)
        let order = try EmojiOrder(testFile: Self.order, file: "order")
        // In this process, and in a confined one.
        for worker in [nil, try Self.worker()] {
            var (missing, refused): ([String], [ErrorCode]) = ([], [])
            let set = try EmojiSetDescription(
                font: OpenFile.open(path), order: order, worker: worker, missing: { missing.append($0.text) },
                refused: { emoji, reason in refused += emoji.text == "😁" ? [reason.code] : [] })
            #expect(set.items.map(\.sequence.text) == ["😀"] && missing == ["😂"] && refused == [code])
            worker?.close()
        }
    }

    @Test(DrawnFont.needsFontTools)
    func `what is no part of a glyph's picture is not checked, and not taken`() async throws {
        let font = try await open([
            DrawnFont.Document(
                #"<svg \#(Self.svg)><script/><?xml-stylesheet href="a"?><g id="glyph1"/><g id="glyph2"><script/></g></svg>"#,
                1...2)
        ])
        #expect(try picture(1, of: font) == #"<svg \#(Self.svg)\#(Self.start)\#(Self.em)<g id="glyph1"/></svg></svg>"#)
        let error = #expect(throws: StoreError.self) { try picture(2, of: font) }
        #expect(error?.code == .svgActive)
    }

    @Test(DrawnFont.needsFontTools, .needsConfinement) func `a font of which no image is left is refused`() async throws
    {
        let path = try await DrawnFont(
            documents: [DrawnFont.Document(Self.drawing("<script/>"), 2...2)]
        ).build(in: folder)
        let worker = try Self.worker()
        let error = #expect(throws: StoreError.self) {
            try EmojiSetDescription(
                font: OpenFile.open(path), order: EmojiOrder(testFile: Self.order, file: "order"), worker: worker)
        }
        #expect(error?.code == .emojiFont)
        // What is no font is refused with the same code, which a worker reports.
        try folder.directory.put("none", "no font")
        let other = #expect(throws: StoreError.self) {
            try EmojiSetDescription(
                font: OpenFile.open(folder.path + "/none"), order: EmojiOrder(testFile: Self.order, file: "order"),
                worker: worker)
        }
        #expect(other?.code == .emojiFont && other?.message.contains("not a TrueType or OpenType font") == true)
        worker.close()
    }

    /// Returns a service with the program beside the tests, which must be able to confine processes.
    private static func worker() throws -> WorkerService {
        let directory = FilePaths.split(try #require(CurrentProcess.programPath)).directory
        let name = WorkerService.pictureProgramName
        let service = WorkerService(
            WorkerService.Settings(), name: name, program: InstalledProgram(path: directory + "/" + name))
        try #require(service.availability.obstacle == nil)
        return service
    }
}
