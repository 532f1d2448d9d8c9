import StoreCRLottie
import StoreImages
import StoreModel

/// A vector animation of a TGS file, which rlottie draws; it is released with the object.
final class VectorAnimation: ThumbnailAnimation {
    /// The maximum number of frames per second of an animated thumbnail, of which a TGS animation has up to 60.
    static let frameRate = 20.0

    private let animation: OpaquePointer
    private let facts: AnimationFacts

    /// Validates and reads a TGS file.
    ///
    /// - Throws: `thumbnail.failed`.
    init(_ bytes: [UInt8]) throws(StoreError) {
        let document: [UInt8]
        do {
            (facts, document) = try AnimationReader().readLottie(bytes)
        } catch {
            throw StoreError(.thumbnailImageInvalid, cause: error)
        }
        let text = document.map(CChar.init(bitPattern:)) + [0]
        guard let animation = crlottie_read(text), crlottie_frames(animation) > 0 else {
            throw StoreError(.thumbnailNotDecodable, ["reason": "the animation can't be read"])
        }
        self.animation = animation
    }

    deinit { crlottie_release(animation) }

    func picture(pixels: Int, isAnimated: Bool) throws(StoreError) -> Picture {
        let side = max(facts.width, facts.height)
        let width = max(1, facts.width * pixels / side)
        let height = max(1, facts.height * pixels / side)
        let total = Int(crlottie_frames(animation))
        let count = isAnimated ? max(1, min(total, Int(facts.seconds * Self.frameRate))) : 1
        var frames = (0..<count).map { draw($0 * total / count, width, height) }
        // Many animations begin with nothing.
        if !isAnimated, frames[0].allSatisfy({ $0 == 0 }) { frames = [draw(total / 2, width, height)] }
        var strip: [UInt8] = []
        strip.reserveCapacity(count * width * height * 4)
        for frame in frames { for pixel in frame { Self.append(pixel, to: &strip) } }
        return try Picture(
            colours: strip, width: width, height: height, frames: count,
            delay: Int((facts.seconds * 1000 / Double(count)).rounded()))
    }

    /// Draws a frame; the colours of a pixel are multiplied by its opacity, which is in the highest byte.
    private func draw(_ frame: Int, _ width: Int, _ height: Int) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: width * height)
        crlottie_draw(animation, frame, &pixels, width, height)
        return pixels
    }

    /// Appends red, green, blue and opacity of a pixel.
    private static func append(_ pixel: UInt32, to strip: inout [UInt8]) {
        let opacity = pixel >> 24
        for shift: UInt32 in [16, 8, 0] {
            strip.append(opacity == 0 ? 0 : UInt8(min(255, (pixel >> shift & 0xFF) * 255 / opacity)))
        }
        strip.append(UInt8(opacity))
    }
}
