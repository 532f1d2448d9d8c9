/// A picture that a worker of the program `store-thumbnailer` draws.
public enum PictureTask: Sendable, Hashable, Codable {
    /// A small version of the image in a file, as a WebP of at most so many pixels in width and height.
    case thumbnail(pixels: Int, isAnimated: Bool)
    /// A grid of images as a PNG; each is a range of the file's bytes, or `nil` for an empty cell.
    case contactSheet(images: [Range<Int>?], pixels: Int, columns: Int)

    /// The maximum size of the picture's file in bytes.
    public var sizeLimit: Int {
        switch self {
        case .thumbnail: 1 << 20
        case .contactSheet: 32 << 20
        }
    }
}
