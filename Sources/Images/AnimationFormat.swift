/// The format of a vector animation or film that only stickers can be, and that no image viewer shows.
public enum AnimationFormat: String, Sendable, Hashable, CaseIterable {
    /// A Lottie animation in gzip, as Telegram has them.
    case tgs
    /// A film without sound in VP9.
    case webm

    /// The media type of the format, such as `video/webm`.
    public var mediaType: String {
        switch self {
        case .tgs: "application/x-tgsticker"
        case .webm: "video/webm"
        }
    }

    /// The format's name for messages, such as `WebM`.
    public var name: String {
        switch self {
        case .tgs: "TGS"
        case .webm: "WebM"
        }
    }

    /// Identifies the format by the first bytes of a file; `nil` if the file is neither.
    ///
    /// Every gzip file is identified as a TGS animation: what it contains, only reading it shows.
    public init?(head: ArraySlice<UInt8>) {
        if head.starts(with: [0x1F, 0x8B, 0x08]) {
            self = .tgs
        } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .webm
        } else {
            return nil
        }
    }
}
