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
        if let png = copy(charfbuzz_png(font, glyph)) { return .image(try EmojiImage(png, limits: limits)) }
        if let svg = copy(charfbuzz_svg(face, glyph)), let document = SVGGlyph.document(svg, glyph: glyph) {
            return .image(try EmojiImage(document, limits: limits))
        }
        return .noImage
    }

    private func glyph(_ characters: [UInt32]) -> UInt32? {
        let glyph = characters.withUnsafeBufferPointer {
            charfbuzz_glyph(font, buffer, $0.baseAddress, Int32($0.count))
        }
        return glyph == 0 ? nil : glyph
    }

    /// Returns the bytes of a blob, which is released; `nil` if it is empty.
    private func copy(_ blob: OpaquePointer?) -> [UInt8]? {
        defer { hb_blob_destroy(blob) }
        var count: UInt32 = 0
        guard let start = hb_blob_get_data(blob, &count), count > 0 else { return nil }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
}
