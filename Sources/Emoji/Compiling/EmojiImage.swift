public import StoreImages
import StoreModel

/// An image of an emoji: its bytes, its format and its size in pixels.
public struct EmojiImage: Sendable, Hashable {
    /// The complete image file.
    public let bytes: [UInt8]
    /// The format of the image, identified by its bytes.
    public let format: ImageFormat
    /// The width in pixels; 0 for an SVG that requests none.
    public let width: Int
    /// The height in pixels; 0 for an SVG that requests none.
    public let height: Int

    /// Creates an image from the bytes of an image file, which are checked.
    ///
    /// - Throws: `content.image-…` for bytes that are no image, damaged, or beyond the limits.
    public init(_ bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws {
        let facts = try ImageReader(limits: limits).read(bytes)
        self.init(bytes: bytes, format: facts.format, width: facts.width, height: facts.height)
    }

    init(bytes: [UInt8], format: ImageFormat, width: Int, height: Int) {
        self.bytes = bytes
        self.format = format
        self.width = width
        self.height = height
    }
}
