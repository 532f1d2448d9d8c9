public import StoreModel

extension StoreError {
    /// Whether the error means that an image was rejected.
    public var isImageError: Bool { Self.imageCodes.contains(code) }

    private static let imageCodes: Set<ErrorCode> = [
        .imageUnknown, .imageDamaged, .imageTrailing, .imageTooLarge, .imageFrames, .svgActive,
    ]
}
