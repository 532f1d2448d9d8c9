import Hummingbird
import StoreImages
import StoreOpenAPI

/// A namespace of functions that determine the media types of served files.
enum MediaTypes {
    /// Returns the media type of a file from a pack, one for which a browser runs no code.
    ///
    /// The content determines the type of an image in a known format. Otherwise the name does, if it is that of an image
    /// other than SVG or of JSON. All other files are plain text or binary data.
    ///
    /// - Parameters:
    ///   - head: the first bytes of the file.
    ///   - suffix: the part of the name after its last dot, in lower case.
    static func ofUntrustedFile(head: [UInt8], suffix: String) -> String {
        if let format = ImageFormat(head: head[...]) { return format.mediaType }
        if let animation = AnimationFormat(head: head.prefix(4)), animation.rawValue == suffix {
            return animation.mediaType
        }
        let type = ofSuffix(suffix)
        // SVG can contain scripts: a file gets that media type only because of its first bytes, which were tested
        // above.
        if type.hasPrefix("image/"), type != ImageFormat.svg.mediaType { return type }
        if suffix == "json" { return "application/json" }
        return isText(head) ? "text/plain; charset=utf-8" : "application/octet-stream"
    }

    /// All media types that files of packs and skins are served with, without parameters.
    ///
    /// An image in a format that the application does not know has the type of its name, such as `image/bmp`.
    static let ofUntrustedFiles =
        ImageFormat.allCases.map(\.mediaType) + AnimationFormat.allCases.map(\.mediaType)
        + ["image/*", "application/json", "text/plain", "application/octet-stream"]

    /// Returns the media type for a file name's suffix, such as `image/png` for `png`.
    static func ofSuffix(_ suffix: String) -> String {
        // Hummingbird does not know APNG.
        if suffix == "apng" { return ImageFormat.apng.mediaType }
        return MediaType.getMediaType(forExtension: suffix)?.description ?? "application/octet-stream"
    }

    /// Returns whether a file's first bytes contain no binary data byte of the MIME Sniffing standard (WHATWG).
    private static func isText(_ head: [UInt8]) -> Bool {
        head.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) && $0 != 0x0B || $0 == 0x1B }
    }
}

extension EndpointResponse.Content {
    /// The content of a response with a file of a pack or a skin.
    static let file = EndpointResponse.Content.binary(mediaTypes: MediaTypes.ofUntrustedFiles)
    /// The content of a response with an image that was checked to have one of the known formats.
    static let image = EndpointResponse.Content.binary(mediaTypes: ImageFormat.allCases.map(\.mediaType))
}
