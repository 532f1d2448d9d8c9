import StoreModel

/// What an image is, told by its bytes.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case png, apng, gif, jpeg, webp, svg

    /// How many bytes from the start are enough to tell it. A drawing may have a longer comment before its root; it
    /// is then not told by them.
    public static let headLength = 4096

    /// What files of the format are called at their end, without the dot; the first is the usual one.
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

    /// What an image can be called at its end, without the dot and in lower case.
    public static let allSuffixes = Set(allCases.flatMap(\.suffixes))

    /// As HTTP names it. An animated PNG is a PNG to whoever does not know of animations, and named as it is.
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

    /// Its name for people, with its article.
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

    /// Its name for people, without an article.
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

    /// The format that a file which begins so has, if it is whole; `nil` where it is no image. A PNG is told to be
    /// animated only if that shows in these bytes.
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
