public import StoreModel

/// Why an image is refused.
public struct ImageError: CodedError {
    public let code: ErrorCode
    /// Without the file's name, which the reader does not know: `a PNG image that ends too early`.
    public let message: String

    init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    static func damaged(_ message: String) -> ImageError { ImageError(.imageDamaged, message) }
}

extension ErrorCode {
    /// It is none of the formats that are known.
    public static let imageUnknown = ErrorCode("content.image-unknown", .refused)
    /// It ends too early, or its parts are not as its format has them.
    public static let imageDamaged = ErrorCode("content.image-damaged", .refused)
    /// Something follows after the image's end: it may be another file to another program.
    public static let imageTrailing = ErrorCode("content.image-trailing", .refused)
    /// More pixels or bytes than are allowed.
    public static let imageTooLarge = ErrorCode("content.image-too-large", .refused)
    /// More frames than are allowed.
    public static let imageFrames = ErrorCode("content.image-frames", .refused)
    /// A drawing that runs something, fetches something, or makes more of itself than it holds.
    public static let svgActive = ErrorCode("content.svg-active", .refused)
}
