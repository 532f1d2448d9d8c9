extension ErrorCode {
    /// No thumbnail can be made of the image.
    public static let thumbnailFailed = ErrorCode("thumbnail.failed", .refused)
    /// No thumbnails are made on this machine: the program that makes them is missing, or can't be confined.
    public static let thumbnailUnavailable = ErrorCode("thumbnail.unavailable", .failed)
    /// There is nothing to draw on a contact sheet.
    public static let contactSheetEmpty = ErrorCode("thumbnail.no-images", .conflict)
}

extension ErrorTemplate {
    public static let thumbnailNotDecodable = ErrorTemplate(
        .thumbnailFailed, "could not make a thumbnail: the image can't be decoded: {reason}")
    public static let thumbnailImageInvalid = ErrorTemplate(
        .thumbnailFailed, variant: "image", "could not make a thumbnail: {cause}")
    public static let thumbnailFormatUnsupported = ErrorTemplate(
        .thumbnailFailed, variant: "format", "could not make a thumbnail of {format}")
    public static let thumbnailCrashed = ErrorTemplate(
        .thumbnailFailed, variant: "crashed",
        "could not make a thumbnail: the process that decodes the image ended unexpectedly: {reason}")
    public static let thumbnailTimeout = ErrorTemplate(
        .thumbnailFailed, variant: "time", "could not make a thumbnail: it took longer than {limit}")
    public static let thumbnailMemory = ErrorTemplate(
        .thumbnailFailed, variant: "memory", "could not make a thumbnail: it took more than {limit} of memory")
    public static let thumbnailUnexpected = ErrorTemplate(
        .thumbnailFailed, variant: "output",
        "could not make a thumbnail: the process that decodes the image wrote something else")
    public static let thumbnailsUnavailable = ErrorTemplate(
        .thumbnailUnavailable, "thumbnails can't be made on this machine: {reason}",
        hint: "install the program 'store-thumbnailer' beside the daemon, and libvips")
    public static let contactSheetWithoutImages = ErrorTemplate(
        .contactSheetEmpty, "could not draw a contact sheet: '{product}' has no stickers")
}
