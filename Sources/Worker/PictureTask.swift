/// A picture that a worker of the program `store-thumbnailer` draws.
public enum PictureTask: Sendable, Hashable, Codable {
    /// A small version of the image in a file, as a WebP.
    ///
    /// - Parameters:
    ///   - pixels: the maximum width and height.
    ///   - isAnimated: whether an animated image gives an animated thumbnail, if the limits allow it.
    case thumbnail(pixels: Int, isAnimated: Bool)
    /// A grid of images as a PNG.
    ///
    /// - Parameters:
    ///   - images: the range of each image in the file's bytes, by rows; `nil` for an empty cell.
    ///   - pixels: the width and height of a cell.
    ///   - columns: the number of cells in a row.
    case contactSheet(images: [Range<Int>?], pixels: Int, columns: Int)

    /// The maximum size of the picture's file in bytes.
    public var sizeLimit: Int {
        switch self {
        case .thumbnail: 1 << 20
        case .contactSheet: 32 << 20
        }
    }
}
