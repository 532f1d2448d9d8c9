extension ErrorCode {
    /// The file is not an image of a known format.
    public static let imageUnknown = ErrorCode("content.image-unknown", .refused)
    /// The image file is truncated, or its structure violates its format.
    public static let imageDamaged = ErrorCode("content.image-damaged", .refused)
    /// Data follows the end of the image, which another program may interpret as a file of another type.
    public static let imageTrailing = ErrorCode("content.image-trailing", .refused)
    /// The image has more pixels, or its file more bytes, than allowed.
    public static let imageTooLarge = ErrorCode("content.image-too-large", .refused)
    /// The animated image has more frames than allowed.
    public static let imageFrames = ErrorCode("content.image-frames", .refused)
    /// An SVG image contains active content, refers to external resources, or expands to far more than it contains.
    public static let svgActive = ErrorCode("content.svg-active", .refused)
}

extension ErrorTemplate {
    /// Context that names the format of an invalid image; argument `format`.
    public static let imageInvalid = ErrorTemplate(context: "image-invalid", "invalid {format} image: {cause}")

    public static let imageUnknown = ErrorTemplate(.imageUnknown, "the file is not an image in a supported format")

    // The structure.
    public static let imageTruncated = ErrorTemplate(.imageDamaged, "the file is truncated")
    public static let imageWithoutSignature = ErrorTemplate(
        .imageDamaged, variant: "signature", "the file does not begin with the signature of its format")
    public static let imageUnexpectedData = ErrorTemplate(
        .imageDamaged, variant: "unexpected", "unexpected data at byte {offset}")
    public static let imageWithoutHeader = ErrorTemplate(
        .imageDamaged, variant: "header-missing", "the header is missing")
    public static let imageHeaderInvalid = ErrorTemplate(.imageDamaged, variant: "header", "the header is invalid")
    public static let imageChunkInvalid = ErrorTemplate(.imageDamaged, variant: "chunk", "chunk '{chunk}' is invalid")
    public static let imageWithoutPicture = ErrorTemplate(
        .imageDamaged, variant: "picture-missing", "the file contains no picture")
    public static let imageWithoutPixels = ErrorTemplate(
        .imageDamaged, variant: "no-pixels", "width or height is 0")
    public static let imageWithoutSize = ErrorTemplate(
        .imageDamaged, variant: "no-size", "the width and height are missing")
    public static let imageSecondSize = ErrorTemplate(
        .imageDamaged, variant: "second-size", "the width and height are invalid or given twice")
    public static let imageSizeMismatch = ErrorTemplate(
        .imageDamaged, variant: "size", "the picture has another width or height than the header states")
    public static let imageNotDecodable = ErrorTemplate(
        .imageDamaged, variant: "picture", "the picture can't be decoded")
    public static let imageEncodingUnsupported = ErrorTemplate(
        .imageDamaged, variant: "encoding", "lossless, arithmetic and hierarchical encodings are not supported")
    public static let imageVersionUnsupported = ErrorTemplate(
        .imageDamaged, variant: "version", "version {version} of lossless WebP is not supported; only version 0 is")
    public static let imageFrameTooShort = ErrorTemplate(
        .imageDamaged, variant: "frame-short", "a frame is too short")
    public static let imageFrameEmpty = ErrorTemplate(.imageDamaged, variant: "frame-empty", "a frame has no data")
    public static let imageFrameNotDecodable = ErrorTemplate(
        .imageDamaged, variant: "frame", "a frame can't be decoded")
    public static let imageFrameOutside = ErrorTemplate(
        .imageDamaged, variant: "frame-outside", "a frame extends outside the image")
    public static let imageFrameSizeMismatch = ErrorTemplate(
        .imageDamaged, variant: "frame-size", "a frame has another width or height than its header states")
    public static let imageFramesOutOfOrder = ErrorTemplate(
        .imageDamaged, variant: "frame-order", "the frames are out of order")
    public static let imageFrameCountMismatch = ErrorTemplate(
        .imageDamaged, variant: "frame-count", "the file has {count} frames, but its header states {declared}")
    public static let imageTrailingData = ErrorTemplate(
        .imageTrailing, "there is extra data ({size}) after the end of the image")

    // The limits.
    public static let imageFileTooLarge = ErrorTemplate(.imageTooLarge, "the file has {size}; the limit is {limit}")
    public static let imagePixelsExceeded = ErrorTemplate(
        .imageTooLarge, variant: "pixels", "the image has {width} × {height} pixels; the limit is {limit} pixels")
    public static let imageFramesExceeded = ErrorTemplate(
        .imageFrames, "the image has {count} frames; the limit is {limit}")
    public static let imageFramePixelsExceeded = ErrorTemplate(
        .imageFrames, variant: "pixels",
        "the image has {count} frames of {width} × {height} pixels; the limit is {limit} pixels for all frames together"
    )

    // SVG.
    public static let svgRootInvalid = ErrorTemplate(
        .imageDamaged, variant: "svg-root", "the root element is not 'svg' in the namespace '{namespace}'")
    public static let svgMalformed = ErrorTemplate(.imageDamaged, variant: "svg-xml", "{cause}")
    public static let svgTooLarge = ErrorTemplate(.imageTooLarge, variant: "svg-xml", "{cause}")
    public static let svgDoctype = ErrorTemplate(.svgActive, variant: "xml", "{cause}")
    public static let svgPicturesTooLarge = ErrorTemplate(
        .imageTooLarge, variant: "svg-pictures", "the embedded pictures exceed the limit of {limit} pixels together")
    public static let svgStyleSheet = ErrorTemplate(
        .svgActive, variant: "style-sheet", "line {line}: a reference to a style sheet is not allowed")
    public static let svgElement = ErrorTemplate(.svgActive, "line {line}: the element '{element}' is not allowed")
    public static let svgEventAttribute = ErrorTemplate(
        .svgActive, variant: "event", "line {line}: the event attribute '{attribute}' is not allowed")
    public static let svgBaseAttribute = ErrorTemplate(
        .svgActive, variant: "base", "line {line}: the attribute 'xml:base' is not allowed")
    public static let svgAnimatedAttribute = ErrorTemplate(
        .svgActive, variant: "animation", "line {line}: an animation of '{attribute}' is not allowed")
    public static let svgAnimatedAddress = ErrorTemplate(
        .svgActive, variant: "animation-address", "line {line}: an animation that sets a URL is not allowed")
    public static let svgReference = ErrorTemplate(
        .svgActive, variant: "reference", "line {line}: a reference to '{address}' is not allowed")
    public static let svgPictureEncoding = ErrorTemplate(
        .svgActive, variant: "picture-encoding", "line {line}: an embedded picture is not in Base64")
    public static let svgPictureFormat = ErrorTemplate(
        .svgActive, variant: "picture-format", "line {line}: an embedded picture has an unknown format")
    public static let svgStyle = ErrorTemplate(
        .svgActive, variant: "style", "line {line}: '{text}' in a style is not allowed")
    public static let svgSelfReference = ErrorTemplate(
        .svgActive, variant: "self-reference", "an element refers to itself")
    public static let svgReferencesTooDeep = ErrorTemplate(
        .svgActive, variant: "reference-depth", "references are nested more than {limit} levels deep")
    public static let svgReferencesExceeded = ErrorTemplate(
        .svgActive, variant: "reference-count", "references expand to more than {limit} elements")

    // Animations.

    /// Context that names the format of an invalid animation; argument `format`.
    public static let animationInvalid = ErrorTemplate(
        context: "animation-invalid", "invalid {format} animation: {cause}")
    public static let animationTooWide = ErrorTemplate(
        .imageTooLarge, variant: "animation",
        "the animation has {width} × {height} pixels; the limit is {limit} on each side")
    public static let animationTooLong = ErrorTemplate(
        .imageTooLarge, variant: "duration", "the animation lasts {duration} s; the limit is {limit} s")
    public static let animationTooFast = ErrorTemplate(
        .imageFrames, variant: "rate", "the animation has {rate} frames per second; the limit is {limit}")
    public static let animationNotLottie = ErrorTemplate(
        .imageDamaged, variant: "lottie", "the gzip file does not contain a Lottie document")
    public static let animationWithImages = ErrorTemplate(
        .imageDamaged, variant: "lottie-images", "the Lottie document contains or refers to images")
    public static let animationWithExpression = ErrorTemplate(
        .imageDamaged, variant: "lottie-expression", "the Lottie document contains a program (an expression)")
    public static let animationNotWebM = ErrorTemplate(
        .imageDamaged, variant: "webm", "the document type is '{type}' instead of 'webm'")
    public static let animationTracks = ErrorTemplate(
        .imageDamaged, variant: "webm-tracks", "the file has {count} tracks, or none with pictures; one is allowed")
    public static let animationCodec = ErrorTemplate(
        .imageDamaged, variant: "webm-codec", "the film is encoded in '{codec}' instead of VP8 or VP9")
    public static let animationWithoutDuration = ErrorTemplate(
        .imageDamaged, variant: "webm-duration", "the file does not state its duration")
}
