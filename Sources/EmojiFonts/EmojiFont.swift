import StoreCHarfBuzz
public import StoreEmoji
public import StoreImages
import StoreModel
public import StoreSystem

/// Reads the images of emoji that a colour font stores: PNG (tables CBDT and sbix) or SVG.
///
/// This is the only interface to the library for fonts: an open file in, images out. So it can run in a process that is
/// confined. Fonts are untrusted, and the library parses them without executing anything; layers of vectors (COLR) are not
/// supported.
///
/// The SVG of a glyph is taken out of its document, which may draw several glyphs and be compressed. It is an SVG of its
/// own then: its view box is that of the glyph, from the font's ascender to its descender, in units of the design space.
public final class EmojiFont {
    /// The maximum size of a font file in bytes.
    public static let maximumSize = 256 << 20

    /// The image of an emoji in a font, or the reason why there is none.
    public enum Result: Sendable, Hashable {
        /// The font stores an image of the emoji.
        case image(EmojiImage)
        /// The font has no glyph of its own for the sequence, for example one for each of its people.
        case noGlyph
        /// The font has a glyph without a stored image.
        case noImage
    }

    private let bytes: UnsafeMutableRawBufferPointer
    private let blob: OpaquePointer?
    private let face: OpaquePointer?
    private let font: OpaquePointer?
    private let buffer: OpaquePointer?
    private let limits: ImageLimits
    private let palette: FontPalette
    /// The SVG documents that were read last, by their addresses in memory; many emoji can share one.
    private var drawings: [UnsafeRawPointer: Swift.Result<FontDrawing, StoreError>] = [:]
    /// The size of these documents in bytes, after they were inflated.
    private var drawingsSize = 0

    /// The maximum size in bytes of the SVG documents that are kept, which take several times as much memory.
    private static let keptDrawings = 16 << 20

    /// Opens a font.
    ///
    /// - Parameters:
    ///   - file: the font file (TrueType or OpenType; of a collection, the first font).
    ///   - limits: the limits of the images.
    /// - Throws: `emoji.font` if the file is no font, or one without stored images; a file error.
    public init(_ file: OpenFile, limits: ImageLimits = ImageLimits()) throws {
        let size = try file.status().size
        guard size <= Self.maximumSize else {
            throw StoreError(.emojiFontUnreadable, ["reason": "it has more than \(Self.maximumSize) bytes"])
        }
        // Read and not mapped, because the file may be changed while it is used.
        let content = try file.read(count: size, at: 0)
        self.limits = limits
        bytes = .allocate(byteCount: max(content.count, 1), alignment: 8)
        bytes.copyBytes(from: content)
        blob = hb_blob_create_or_fail(
            bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(content.count), HB_MEMORY_MODE_READONLY, nil,
            nil)
        face = hb_face_create(blob, 0)
        font = hb_font_create(face)
        buffer = hb_buffer_create()
        // Before anything is thrown: `deinit` frees only an object that is complete.
        palette = FontPalette(Self.colours(of: face))
        guard blob != nil, hb_face_get_glyph_count(face) > 0 else {
            throw StoreError(.emojiFontUnreadable, ["reason": "it is not a TrueType or OpenType font"])
        }
        guard charfbuzz_has_images(face) != 0 else { throw StoreError(.emojiFontWithoutImages) }
    }

    deinit {
        hb_buffer_destroy(buffer)
        hb_font_destroy(font)
        hb_face_destroy(face)
        hb_blob_destroy(blob)
        bytes.deallocate()
    }

    /// Returns the image of an emoji: as it is written, or else without variation selectors.
    ///
    /// - Throws: `content.image-…` if the stored image is damaged or beyond the limits.
    public func image(of emoji: EmojiSequence) throws -> Result {
        let glyph = glyph(emoji.scalars.map(\.value)) ?? glyph(emoji.key)
        guard let glyph else { return .noGlyph }
        let png = charfbuzz_png(font, glyph)
        defer { hb_blob_destroy(png) }
        if let png = Self.content(of: png) { return .image(try EmojiImage(Array(png), limits: limits)) }
        let svg = charfbuzz_svg(face, glyph)
        defer { hb_blob_destroy(svg) }
        guard let document = Self.content(of: svg),
            let picture = try drawing(document).get().picture(of: glyph, box: box(of: glyph))
        else { return .noImage }
        return .image(try EmojiImage(picture, limits: limits))
    }

    /// Returns an SVG document of the font, or the error of a damaged one.
    private func drawing(_ document: UnsafeRawBufferPointer) -> Swift.Result<FontDrawing, StoreError> {
        guard let address = document.baseAddress else { return .failure(StoreError(.imageUnknown)) }
        if let known = drawings[address] { return known }
        let result: Swift.Result<FontDrawing, StoreError>
        var size = document.count
        do {
            let drawing = try FontDrawing(Array(document), limits: limits, palette: palette)
            size = drawing.size
            result = .success(drawing)
        } catch let error as StoreError {
            // As all errors of images.
            result = .failure(StoreError(.imageInvalid, ["format": ImageFormat.svg.name], cause: error))
        } catch {
            result = .failure(StoreError(.unexpectedError, ["error": "\(error)"]))
        }
        if drawingsSize + size > Self.keptDrawings { (drawings, drawingsSize) = ([:], 0) }
        drawings[address] = result
        drawingsSize += size
        return result
    }

    private func box(of glyph: UInt32) -> GlyphBox {
        var extents = hb_font_extents_t()
        hb_font_get_h_extents(font, &extents)
        return GlyphBox(
            unitsPerEm: Int(hb_face_get_upem(face)), advance: Int(hb_font_get_glyph_h_advance(font, glyph)),
            ascender: Int(extents.ascender), descender: Int(extents.descender))
    }

    private static func colours(of face: OpaquePointer?) -> [(red: Int, green: Int, blue: Int, alpha: Int)] {
        var count = hb_ot_color_palette_get_colors(face, 0, 0, nil, nil)
        var colours = [hb_color_t](repeating: 0, count: Int(count))
        hb_ot_color_palette_get_colors(face, 0, 0, &count, &colours)
        return colours.prefix(Int(count)).map { colour in
            (
                red: Int(colour >> 8 & 0xFF), green: Int(colour >> 16 & 0xFF), blue: Int(colour >> 24),
                alpha: Int(colour & 0xFF)
            )
        }
    }

    private func glyph(_ characters: [UInt32]) -> UInt32? {
        let glyph = characters.withUnsafeBufferPointer {
            charfbuzz_glyph(font, buffer, $0.baseAddress, Int32($0.count))
        }
        return glyph == 0 ? nil : glyph
    }

    /// Returns the bytes of a blob, which are valid until it is released; `nil` if it is empty.
    private static func content(of blob: OpaquePointer?) -> UnsafeRawBufferPointer? {
        var count: UInt32 = 0
        guard let start = hb_blob_get_data(blob, &count), count > 0 else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(count))
    }
}
