public import StoreModel

extension StoreError {
    /// Whether this error means that an image was rejected: it is invalid, too large or of an unknown format.
    public var isImageError: Bool { Self.imageCodes.contains(code) }

    private static let imageCodes: Set<ErrorCode> = [
        .imageUnknown, .imageDamaged, .imageTrailing, .imageTooLarge, .imageFrames, .svgActive,
    ]

    /// Returns the error of an SVG that can't be read as XML for a reason.
    public static func svg(_ cause: StoreError) -> StoreError {
        let template: ErrorTemplate =
            switch cause.code {
            case .xmlDoctype, .xmlEntity: .svgDoctype
            case .xmlTooLarge: .svgTooLarge
            default: .svgMalformed
            }
        return StoreError(template, cause: cause)
    }
}
