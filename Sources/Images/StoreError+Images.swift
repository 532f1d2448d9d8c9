public import StoreModel

extension StoreError {
    /// Whether this error means that an image was rejected: it is invalid, too large or of an unknown format.
    public var isImageError: Bool { Self.imageCodes.contains(code) }

    private static let imageCodes: Set<ErrorCode> = [
        .imageUnknown, .imageDamaged, .imageTrailing, .imageTooLarge, .imageFrames, .svgActive,
    ]
}
