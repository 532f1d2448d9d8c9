/// What is known of an image without having decoded it.
public struct ImageFacts: Sendable, Hashable {
    public let format: ImageFormat
    /// In pixels; of a drawing the size that it asks for, 0 where it asks for none.
    public let width: Int
    public let height: Int
    /// Pictures that it shows one after another; 1 where it stands still.
    public let frames: Int
}

/// What an image may have at most.
public struct ImageLimits: Sendable, Hashable {
    /// Of one frame: its width times its height.
    public var pixels = 25 << 20
    public var frames = 2000
    /// Of all frames together, each counted as large as the whole image, which is what showing it takes.
    public var allPixels = 512 << 20
    /// Of the file, in bytes.
    public var size = 32 << 20
    /// Of a drawing, in bytes: it is read as a whole.
    public var drawingSize = 8 << 20

    public init() {}
}
