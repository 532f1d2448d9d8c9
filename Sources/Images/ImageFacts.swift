/// The properties of an image that are known without decoding it.
public struct ImageFacts: Sendable, Hashable {
    /// The format.
    public let format: ImageFormat
    /// The width in pixels; for an SVG the width that it requests, or 0.
    public let width: Int
    /// The height in pixels; for an SVG the height that it requests, or 0.
    public let height: Int
    /// The number of frames; 1 if the image is not animated.
    public let frames: Int
}

/// The limits beyond which an image is rejected.
public struct ImageLimits: Sendable, Hashable {
    /// The number of pixels of a frame: width times height.
    public var pixels = 25 << 20
    /// The number of frames.
    public var frames = 2000
    /// The number of pixels of all frames, each counted with the size of the image, as decoders allocate them.
    public var allPixels = 512 << 20
    /// The size of the file in bytes.
    public var size = 32 << 20
    /// The size of an SVG in bytes; it is read as a whole.
    public var drawingSize = 8 << 20

    /// Creates the default limits.
    public init() {}
}
