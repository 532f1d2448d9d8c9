import Foundation
import StoreSystem
public import Testing

/// Builds fonts with SVG documents, by fontTools.
///
/// Glyph 1 is the emoji U+1F600, glyph 2 is U+1F601, and so on. An em has 1000 units; the ascender is at 800, and the
/// descender at -200.
public struct DrawnFont: Codable {
    /// An SVG document of a font, and the range of glyphs that it draws.
    public struct Document: Codable {
        let svg: String
        let first: Int
        let last: Int
        let isCompressed: Bool

        /// Creates a document, which may be compressed with gzip.
        public init(_ svg: String, _ glyphs: ClosedRange<Int>, isCompressed: Bool = false) {
            (self.svg, first, last) = (svg, glyphs.lowerBound, glyphs.upperBound)
            self.isCompressed = isCompressed
        }
    }

    /// The documents in the order of their glyphs.
    public var documents: [Document]
    /// Colours of four components each, 0 to 255.
    public var palette: [[Int]]
    /// The advance of each glyph.
    public var advance = 1000

    /// Creates a font with SVG documents and colours.
    public init(documents: [Document], palette: [[Int]] = []) {
        self.documents = documents
        self.palette = palette
    }

    /// The condition that fontTools is installed.
    public static let needsFontTools = ConditionTrait.needs(
        "/usr/lib/python3/dist-packages/fontTools/__init__.py", debian: "python3-fonttools")

    private static let program = """
        import json, sys
        from fontTools.colorLib.builder import buildCPAL
        from fontTools.fontBuilder import FontBuilder
        from fontTools.pens.ttGlyphPen import TTGlyphPen
        from fontTools.ttLib import newTable
        from fontTools.ttLib.tables.S_V_G_ import SVGDocument
        given = json.load(open(sys.argv[1], encoding="utf-8"))
        names = [".notdef"] + [f"emoji{number}" for number in range(1, 1 + max(each["last"] for each in given["documents"]))]
        font = FontBuilder(1000, isTTF=True)
        font.setupGlyphOrder(names)
        font.setupCharacterMap({0x1F600 + number: name for number, name in enumerate(names[1:])})
        font.setupGlyf({name: TTGlyphPen(None).glyph() for name in names})
        font.setupHorizontalMetrics({name: (given["advance"], 0) for name in names})
        font.setupHorizontalHeader(ascent=800, descent=-200)
        font.setupNameTable({"familyName": "Drawn", "styleName": "Regular"})
        font.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
        font.setupPost()
        if given["palette"]:
            font.font["CPAL"] = buildCPAL([[tuple(part / 255 for part in colour) for colour in given["palette"]]])
        table = newTable("SVG ")
        table.docList = [SVGDocument(each["svg"], each["first"], each["last"], each["isCompressed"]) for each in given["documents"]]
        font.font["SVG "] = table
        font.save(sys.argv[2])
        """

    /// Builds the font as a file in a folder, and returns its path.
    public func build(in folder: TemporaryFolder) async throws -> String {
        try folder.directory.put("font.json", JSONEncoder().encode(self))
        let path = folder.path + "/font.ttf"
        _ = try await Self.python(Self.program, [folder.path + "/font.json", path], in: folder)
        return path
    }

    /// Runs a program of Python, and returns what it prints.
    public static func python(
        _ program: String, _ arguments: [String], in folder: TemporaryFolder
    ) async throws -> String {
        let process = try ChildProcess(
            "/usr/bin/python3", ["-W", "ignore", "-c", program] + arguments, environment: [:],
            output: folder.path + "/output", errors: folder.path + "/errors")
        let code = await process.result()
        let errors = try folder.directory.text("errors")
        try #require(code == 0, "\(errors)")
        return try folder.directory.text("output")
    }
}
