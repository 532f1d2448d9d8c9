public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// A small version of an image in a pack.
public struct Thumbnail: Sendable, Hashable {
    /// The bytes of the image file.
    public var data: Data
    /// The media type of the image, such as `image/webp`.
    public var mediaType: String

    /// Creates a thumbnail from the bytes of an image file.
    public init(data: Data, mediaType: String) {
        self.data = data
        self.mediaType = mediaType
    }
}

/// A source of thumbnails and contact sheets of the images in packs.
public protocol ThumbnailMaking: Sendable {
    /// Returns a thumbnail of an image in a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file relative to the directory; symbolic links are not followed.
    ///   - size: the maximum width and height; a thumbnail is not larger than its image.
    ///   - isAnimated: whether the thumbnail of an animated image is to move, if it would not be too large; it shows the
    ///     first frame otherwise.
    /// - Throws: `thumbnail.failed`, `thumbnail.unavailable`; a file error; `CancellationError`.
    func thumbnail(
        of path: String, in directory: Directory, size: ThumbnailSize, isAnimated: Bool
    ) async throws -> Thumbnail

    /// Returns a contact sheet: a PNG with a grid of images.
    ///
    /// An image without a thumbnail has an empty cell. Of very many images, the first are drawn.
    ///
    /// - Parameter paths: the paths of the images relative to the directory; at least one.
    /// - Throws: `thumbnail.failed`, `thumbnail.unavailable`; `CancellationError`.
    func contactSheet(of paths: [String], in directory: Directory) async throws -> Data
}
