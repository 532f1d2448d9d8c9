import StoreImages

/// The limits beyond which an animated image has a thumbnail of its first frame only.
public struct AnimatedThumbnailLimits: Sendable, Hashable {
    /// The maximum number of frames.
    public var frames = 200
    /// The maximum number of pixels of all frames of the image together, all of which are decoded.
    public var allPixels = 64 << 20
    /// The maximum size of the thumbnail in bytes.
    public var size = 512 << 10

    /// Creates limits with the default values.
    public init() {}

    /// Returns whether all frames of an image, which was validated, are within the limits, and there are several.
    func allow(_ image: ImageFacts) -> Bool {
        image.frames > 1 && image.frames <= frames
            && image.width * image.height * image.frames <= allPixels
    }
}
