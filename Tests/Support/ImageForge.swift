/// Creates images for tests: valid ones of any size, and parts from which invalid ones are assembled.
public enum ImageForge {
    // MARK: Images of any size

    /// Returns a GIF with one pixel and `count` pseudorandom bytes, at least 28.
    ///
    /// The image data can't be decoded.
    ///
    /// - Parameter seed: different seeds give different bytes.
    public static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        let (start, end) = (gifHeader(1, 1) + gifFrameHeader(1, 1), [0x00, 0x3B] as [UInt8])
        var rest = max(count, 28) - start.count - end.count
        let random = OriginBytes.random(rest, seed: seed)
        var image = start
        while rest > 0 {
            // A block of one byte would have no room for its length.
            let block = rest == 257 ? 200 : min(rest, 256)
            image.append(UInt8(block - 1))
            image += random[(rest - block)..<(rest - 1)]
            rest -= block
        }
        return image + end
    }

    // MARK: PNG

    public static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    public static func chunk(_ type: String, _ data: [UInt8] = []) -> [UInt8] {
        big(data.count) + Array(type.utf8) + data + [0, 0, 0, 0]
    }

    public static func ihdr(_ width: Int, _ height: Int, depth: UInt8 = 8, colour: UInt8 = 6) -> [UInt8] {
        chunk("IHDR", big(width) + big(height) + [depth, colour, 0, 0, 0])
    }

    public static func png(_ width: Int = 1, _ height: Int = 1, _ chunks: [UInt8] = []) -> [UInt8] {
        pngSignature + ihdr(width, height) + chunks + chunk("IDAT", [1, 2, 3]) + chunk("IEND")
    }

    public static func fctl(_ sequence: Int, _ width: Int, _ height: Int, x: Int = 0, y: Int = 0) -> [UInt8] {
        chunk("fcTL", big(sequence) + big(width) + big(height) + big(x) + big(y) + [0, 1, 0, 10, 0, 0])
    }

    /// Returns an animated PNG.
    ///
    /// - Parameter declaredFrames: the number of frames in the header, if it differs from the true one.
    public static func apng(_ width: Int = 2, _ height: Int = 2, frames: Int = 3, declaredFrames: Int? = nil) -> [UInt8]
    {
        var image = pngSignature + ihdr(width, height) + chunk("acTL", big(declaredFrames ?? frames) + big(0))
        image += fctl(0, width, height) + chunk("IDAT", [1, 2, 3])
        for frame in 1..<max(frames, 1) {
            image += fctl(2 * frame - 1, width, height) + chunk("fdAT", big(2 * frame) + [1, 2, 3])
        }
        return image + chunk("IEND")
    }

    // MARK: GIF

    public static func gifHeader(_ width: Int, _ height: Int) -> [UInt8] {
        Array("GIF89a".utf8) + little16(width) + little16(height) + [0, 0, 0]
    }

    public static func gifFrameHeader(_ width: Int, _ height: Int) -> [UInt8] {
        [0x2C, 0, 0, 0, 0] + little16(width) + little16(height) + [0, 2]
    }

    public static func gif(_ width: Int = 1, _ height: Int = 1, frames: Int = 1) -> [UInt8] {
        let frame = [0x21, 0xF9, 4, 0, 10, 0, 0, 0] + gifFrameHeader(width, height) + [2, 0x44, 0x01, 0]
        return gifHeader(width, height) + (0..<frames).flatMap { _ in frame } + [0x3B]
    }

    // MARK: JPEG

    public static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big16(data.count + 2) + data
    }

    public static func jpeg(_ width: Int = 1, _ height: Int = 1, sof: UInt8 = 0xC0) -> [UInt8] {
        [0xFF, 0xD8] + segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
            + segment(sof, [8] + big16(height) + big16(width) + [1, 1, 0x11, 0])
            + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xD9]
    }

    // MARK: WebP

    public static func riffChunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(data.count) + data + (data.count % 2 == 1 ? [0] : [])
    }

    public static func webp(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little(chunks.count + 4) + Array("WEBP".utf8) + chunks
    }

    public static func vp8(_ width: Int = 1, _ height: Int = 1) -> [UInt8] {
        riffChunk("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little16(width) + little16(height) + [7, 8])
    }

    public static func vp8l(_ width: Int = 1, _ height: Int = 1) -> [UInt8] {
        riffChunk("VP8L", [0x2F] + little((height - 1) << 14 | (width - 1)) + [9])
    }

    public static func vp8x(_ width: Int, _ height: Int, animated: Bool) -> [UInt8] {
        riffChunk("VP8X", [animated ? 2 : 0, 0, 0, 0] + little24(width - 1) + little24(height - 1))
    }

    public static func anmf(_ width: Int, _ height: Int, x: Int = 0, y: Int = 0, _ picture: [UInt8]) -> [UInt8] {
        riffChunk(
            "ANMF",
            little24(x / 2) + little24(y / 2) + little24(width - 1) + little24(height - 1) + little24(40) + [0]
                + picture)
    }

    public static func animatedWebP(_ width: Int = 2, _ height: Int = 2, frames: Int = 3) -> [UInt8] {
        let frame = anmf(width, height, vp8l(width, height))
        return webp(
            vp8x(width, height, animated: true) + riffChunk("ANIM", [0, 0, 0, 0, 0, 0])
                + (0..<frames).flatMap { _ in frame })
    }

    // MARK: SVG

    /// Returns an SVG image.
    ///
    /// - Parameter content: the content of the root element.
    public static func svg(_ content: String = "", _ attributes: String = #"width="8" height="8""#) -> [UInt8] {
        Array(
            #"""
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \#(attributes)>\#(content)</svg>
            """#.utf8)
    }

    // MARK: Numbers

    public static func big16(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] }
    public static func big(_ number: Int) -> [UInt8] { big16(number >> 16) + big16(number) }
    public static func little16(_ number: Int) -> [UInt8] { big16(number).reversed() }
    public static func little24(_ number: Int) -> [UInt8] { little16(number) + [UInt8(number >> 16 & 0xFF)] }
    public static func little(_ number: Int) -> [UInt8] { big(number).reversed() }
}
