/// The size of a thumbnail: the maximum width and height of the small version of an image, in pixels.
public enum ThumbnailSize: Int, Sendable, Hashable, Codable, CaseIterable {
    case small = 64
    case medium = 128
    case large = 256

    /// The width and height in pixels that a thumbnail does not exceed.
    public var pixels: Int { rawValue }
}
