import StoreModel

/// The properties of a TGS or WebM animation that are known without decoding it.
public struct AnimationFacts: Sendable, Hashable {
    /// The format of the animation.
    public let format: AnimationFormat
    /// The width of the animation in pixels.
    public let width: Int
    /// The height of the animation in pixels.
    public let height: Int
    /// The duration of the animation in seconds.
    public let seconds: Double
}

/// The limits of a TGS or WebM animation, beyond which it is rejected.
///
/// The defaults are what Telegram allows in its sticker packs.
public struct AnimationLimits: Sendable, Hashable {
    /// The maximum size of a TGS file in bytes.
    public var tgsSize = 64 << 10
    /// The maximum size in bytes of the JSON that a TGS file contains.
    public var lottieSize = 4 << 20
    /// The maximum size of a WebM file in bytes.
    public var webmSize = 256 << 10
    /// The maximum width and height in pixels.
    public var side = 512
    /// The maximum duration in seconds.
    public var seconds = 3.0
    /// The maximum number of frames per second.
    public var frameRate = 60.0

    /// Creates limits of animations with the default values.
    public init() {}
}

/// A validator of TGS and WebM animations, which checks the structure and the limits without decoding anything.
public struct AnimationReader: Sendable {
    /// The limits beyond which an animation is rejected.
    public var limits: AnimationLimits

    /// Creates a validator that rejects animations beyond the given limits.
    public init(limits: AnimationLimits = AnimationLimits()) { self.limits = limits }

    /// Validates a TGS animation in memory, and returns its properties and the Lottie document in it, a JSON text.
    ///
    /// - Throws: ``StoreError`` with a code `content.…`; `content.image-unknown` for a WebM film.
    public func readLottie(_ bytes: [UInt8]) throws -> (facts: AnimationFacts, document: [UInt8]) {
        let facts = try read(bytes)
        guard facts.format == .tgs else { throw StoreError(.imageUnknown) }
        return (facts, try TGSReader(bytes, limits: limits).inflate())
    }

    /// Validates a WebM animation in memory and returns its video with all frames, which are not decoded.
    ///
    /// - Throws: ``StoreError`` with a code `content.…`; `content.image-unknown` for a TGS animation.
    public func readVideo(_ bytes: [UInt8]) throws -> EncodedVideo {
        let facts = try read(bytes)
        guard facts.format == .webm else { throw StoreError(.imageUnknown) }
        do {
            return try WebMReader(bytes, limits: limits).readVideo()
        } catch let error as StoreError where error.isImageError {
            throw StoreError(.animationInvalid, ["format": facts.format.name], cause: error)
        }
    }

    /// Validates an animation in memory and returns its properties.
    ///
    /// - Throws: ``StoreError`` with a code `content.…`.
    public func read(_ bytes: [UInt8]) throws -> AnimationFacts {
        guard let format = AnimationFormat(head: bytes.prefix(4)) else { throw StoreError(.imageUnknown) }
        do {
            let size = format == .tgs ? limits.tgsSize : limits.webmSize
            guard bytes.count <= size else {
                throw StoreError(.imageFileTooLarge, ["size": .bytes(bytes.count), "limit": .bytes(size)])
            }
            let facts =
                switch format {
                case .tgs: try TGSReader(bytes, limits: limits).read()
                case .webm: try WebMReader(bytes, limits: limits).read()
                }
            guard facts.width > 0, facts.height > 0 else { throw StoreError(.imageWithoutPixels) }
            guard facts.width <= limits.side, facts.height <= limits.side else {
                throw StoreError(
                    .animationTooWide, ["width": facts.width, "height": facts.height, "limit": limits.side])
            }
            // Files are a frame longer than they state.
            guard facts.seconds > 0, facts.seconds <= limits.seconds + 0.1 else {
                throw StoreError(
                    .animationTooLong,
                    ["duration": "\((facts.seconds * 10).rounded() / 10)", "limit": "\(limits.seconds)"])
            }
            return facts
        } catch let error as StoreError where error.isImageError {
            throw StoreError(.animationInvalid, ["format": format.name], cause: error)
        }
    }
}
