import StoreTestSupport

/// Makes frames of VP8 and VP9 that state a size and consist of zeros, which libvpx decodes as grey or black.
enum FrameForge {
    /// Which frame of VP9 states the size.
    enum Kind: CaseIterable {
        case key, hiddenKey
        /// A frame that refers to no other one, and is not shown.
        case intraOnly
        /// A frame that refers to others, none of which has its size.
        case inter
    }

    private struct Bits {
        var bytes: [UInt8] = []
        private var count = 0

        mutating func add(_ value: Int, _ width: Int) {
            for bit in (0..<width).reversed() {
                if count % 8 == 0 { bytes.append(0) }
                bytes[count / 8] |= UInt8(value >> bit & 1) << UInt8(7 - count % 8)
                count += 1
            }
        }
    }

    /// Returns a VP9 frame of profile 0 with the header of the specification of VP9 (version 0.6, section 6.2).
    static func vp9(_ kind: Kind, width: Int, height: Int) -> [UInt8] {
        var header = Bits()
        header.add(0b10, 2)
        // The profile, and no earlier frame is shown instead.
        header.add(0, 3)
        let (isKey, isShown) = (kind == .key || kind == .hiddenKey, kind == .key)
        for flag in [!isKey, isShown, false] { header.add(flag ? 1 : 0, 1) }
        if !isKey {
            header.add(kind == .intraOnly ? 1 : 0, 1)
            header.add(0, 2)
        }
        if kind != .inter { header.add(0x49_8342, 24) }
        // BT.601, and 16 as black.
        if isKey { header.add(0b001_0, 4) }
        if kind == .intraOnly { header.add(1, 8) }
        if kind == .inter { header.add(0, 8 + 3 * 4 + 3) }
        header.add(width - 1, 16)
        header.add(height - 1, 16)
        // No size for display; for other frames than those between key frames the next fields are the same, too.
        header.add(0, 1)
        if kind == .inter { header.add(0b01, 2) }
        // Probabilities are kept; the filter is off; a quantizer, without differences; no segments.
        header.add(0b10_00, 4)
        header.add(0, 6 + 3 + 1)
        header.add(60, 8)
        header.add(0, 3 + 1)
        addTiles(width: width, to: &header)
        // The size of the compressed header.
        header.add(5, 16)
        return header.bytes + [UInt8](repeating: 0, count: 64)
    }

    /// Adds the number of tiles, the least that the width permits.
    private static func addTiles(width: Int, to header: inout Bits) {
        let blocks = (width + 63) / 64
        var (least, most) = (0, 1)
        while 64 << least < blocks { least += 1 }
        while blocks >> most >= 4 { most += 1 }
        if least < most - 1 { header.add(0, 1) }
        header.add(0, 1)
    }

    /// Returns several VP9 frames as one, with an index (annex B).
    static func vp9(indexed frames: [[UInt8]]) -> [UInt8] {
        let marker = UInt8(0b110_01_000 | frames.count - 1)
        return frames.flatMap(\.self) + [marker] + frames.flatMap { ImageForge.little16($0.count) } + [marker]
    }

    /// Returns a key frame of VP8 (RFC 6386, section 9.1).
    static func vp8(width: Int, height: Int) -> [UInt8] {
        // The first partition has 64 bytes; a key frame that is shown.
        let tag = 64 << 5 | 1 << 4
        return [UInt8(tag & 0xFF), UInt8(tag >> 8 & 0xFF), UInt8(tag >> 16), 0x9D, 0x01, 0x2A]
            + ImageForge.little16(width) + ImageForge.little16(height) + [UInt8](repeating: 0, count: 512)
    }

    /// Returns a WebM file with blocks, each with colours and, in an addition, opacity.
    static func webm(codec: String, width: Int, height: Int, _ blocks: [(colours: [UInt8], opacity: [UInt8]?)])
        -> [UInt8]
    {
        let element = AnimationForge.element
        var content = element([0xE7], [0])
        for (time, block) in blocks.enumerated() {
            let additions = block.opacity.map {
                element([0x75, 0xA1], element([0xA6], element([0xA5], $0)))
            }
            content += element([0xA0], element([0xA1], [0x81, 0, UInt8(time), 0] + block.colours) + (additions ?? []))
        }
        return AnimationForge.webm(
            codec: codec, width: width, height: height, clusters: element([0x1F, 0x43, 0xB6, 0x75], content))
    }
}
