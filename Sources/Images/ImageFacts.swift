/// The properties of an image that are known without decoding it.
public struct ImageFacts: Sendable, Hashable {
    /// The format of the image.
    public let format: ImageFormat
    /// The width in pixels; for an SVG the width that its root element requests, 0 if none.
    public let width: Int
    /// The height in pixels; for an SVG the height that its root element requests, 0 if none.
    public let height: Int
    /// The number of frames; 1 if the image is not animated.
    public let frames: Int
}

/// The limits beyond which an image is rejected.
public struct ImageLimits: Sendable, Hashable {
    /// The maximum number of pixels of a frame: width times height.
    public var pixels = 25 << 20
    /// The maximum number of frames of an image.
    public var frames = 2000
    /// The maximum number of pixels of all frames, each counted with the size of the image, as decoders allocate them.
    public var allPixels = 512 << 20
    /// The maximum size of the file in bytes.
    public var size = 32 << 20
    /// The maximum size of an SVG in bytes; lower than ``size``, because an SVG is read as a whole.
    public var drawingSize = 8 << 20

    /// Creates limits with the default values.
    public init() {}
}
