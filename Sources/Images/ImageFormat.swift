import StoreModel

/// The format of an image, identified by its bytes.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case png, apng, gif, jpeg, webp, svg

    /// The number of bytes at the start of a file that identify its image format.
    ///
    /// An SVG with a longer comment before its root element is not identified.
    public static let headLength = 4096

    /// The file name extensions of the image format, without the dot, the usual one first.
    public var suffixes: [String] {
        switch self {
        case .png: ["png"]
        case .apng: ["apng", "png"]
        case .gif: ["gif"]
        case .jpeg: ["jpg", "jpeg"]
        case .webp: ["webp"]
        case .svg: ["svg"]
        }
    }

    /// The file name extensions of all image formats, without the dot and in lower case.
    public static let allSuffixes = Set(allCases.flatMap(\.suffixes))

    /// The media type of the image format, such as `image/png`.
    public var mediaType: String {
        switch self {
        case .png: "image/png"
        case .apng: "image/apng"
        case .gif: "image/gif"
        case .jpeg: "image/jpeg"
        case .webp: "image/webp"
        case .svg: "image/svg+xml"
        }
    }

    /// The image format's name for messages, with an article, such as "a PNG".
    public var title: String {
        switch self {
        case .png: "a PNG"
        case .apng: "an animated PNG"
        case .gif: "a GIF"
        case .jpeg: "a JPEG"
        case .webp: "a WebP"
        case .svg: "an SVG"
        }
    }

    /// The image format's name for messages, without an article, such as "PNG".
    public var name: String {
        switch self {
        case .png: "PNG"
        case .apng: "animated PNG"
        case .gif: "GIF"
        case .jpeg: "JPEG"
        case .webp: "WebP"
        case .svg: "SVG"
        }
    }

    /// Identifies the image format by the first bytes of a file; `nil` if the file is not an image.
    ///
    /// A PNG is identified as animated only if its animation chunk is within these bytes.
    public init?(head: ArraySlice<UInt8>) {
        if head.starts(with: PNGReader.signature) {
            self = PNGReader.isAnimated(head) ? .apng : .png
        } else if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else if XMLHead(head).root == "svg" {
            self = .svg
        } else {
            return nil
        }
    }
}
