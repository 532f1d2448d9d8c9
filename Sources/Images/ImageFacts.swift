/// The properties of an image that are known without decoding it: format, size and number of frames.
public struct ImageFacts: Sendable, Hashable {
    /// The format of the image.
    public let format: ImageFormat
    /// The width of the image in pixels; for an SVG the width that its root element requests, 0 if none.
    public let width: Int
    /// The height of the image in pixels; for an SVG the height that its root element requests, 0 if none.
    public let height: Int
    /// The number of frames of the image; 1 if it is not animated.
    public let frames: Int
}

/// The limits of an image's size and number of frames, beyond which the untrusted image is rejected.
///
/// `Codable`, so that they can be sent to another process.
public struct ImageLimits: Sendable, Hashable, Codable {
    /// The maximum number of pixels of an image's frame: width times height.
    public var pixels = 25 << 20
    /// The maximum number of frames of an image.
    public var frames = 2000
    /// The maximum number of pixels of all frames of an image together.
    ///
    /// Each frame is counted with the size of the image, as decoders allocate it.
    public var allPixels = 512 << 20
    /// The maximum size of an image file in bytes.
    public var size = 32 << 20
    /// The maximum size of an SVG file in bytes; lower than ``size``, because an SVG is read as a whole.
    public var drawingSize = 8 << 20

    /// Creates limits of images with the default values.
    public init() {}
}
