import StoreModel

/// A block of a WebM file with one or more frames of VP9, of which only the last one is shown.
///
/// libvpx allocates memory by the size that a frame states, up to 370 MB for 16384 × 16384 pixels, before it asks for a buffer. So
/// the headers are read here first, as the specification of VP9 (version 0.6, sections 6.2 and 7.2, annex B) defines them.
struct VP9Block {
    private let bytes: ArraySlice<UInt8>
    /// The frames that the index at the end of the block names; `nil` if there is none, and the block is one frame.
    private let indexed: [ArraySlice<UInt8>]?

    /// Splits a block into its frames.
    ///
    /// - Throws: `content.image-damaged` if the index names bytes that the block does not have.
    init(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
        self.bytes = bytes
        indexed = try Self.indexedFrames(of: bytes)
    }

    private static func indexedFrames(of bytes: ArraySlice<UInt8>) throws(StoreError) -> [ArraySlice<UInt8>]? {
        guard let marker = bytes.last, marker >> 5 == 0b110 else { return nil }
        let (count, length) = (Int(marker & 0b111) + 1, Int(marker >> 3 & 0b11) + 1)
        guard bytes.count >= count * length + 2 else { throw StoreError(.imageFrameNotDecodable) }
        let index = bytes.suffix(count * length + 2)
        guard index.first == marker else { return nil }
        var rest = bytes.dropLast(index.count)
        var sizes = index.dropFirst()
        var frames: [ArraySlice<UInt8>] = []
        for _ in 0..<count {
            let size = sizes.prefix(length).reversed().reduce(0) { $0 << 8 | Int($1) }
            sizes = sizes.dropFirst(length)
            guard size <= rest.count else { throw StoreError(.imageFrameNotDecodable) }
            frames.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return frames
    }

    /// The block with an index.
    ///
    /// One is added where there is none, because libvpx would decode bytes behind the frame as further frames.
    var bytesWithIndex: [UInt8] {
        guard indexed == nil, !bytes.isEmpty else { return Array(bytes) }
        // One frame, whose size has four bytes.
        let marker: UInt8 = 0b110_11_000
        let size: [UInt8] = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
        return Array(bytes) + [marker] + size + [marker]
    }

    /// Checks that no frame states another size; one that states none has the size of an earlier frame.
    ///
    /// - Throws: `content.image-damaged` if a frame does, or has an invalid header.
    func requireSize(width: Int, height: Int) throws(StoreError) {
        for frame in indexed ?? (bytes.isEmpty ? [] : [bytes]) {
            var header = VP9Header(frame)
            guard let size = try header.statedSize() else { continue }
            guard size == (width, height) else { throw StoreError(.imageSizeMismatch) }
        }
    }
}

/// A reader of the header of a VP9 frame up to its size.
private struct VP9Header {
    private let bytes: ArraySlice<UInt8>
    /// The number of bits that were read.
    private var position = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Returns the size that the frame states; `nil` if it has the size of an earlier frame.
    ///
    /// - Throws: `content.image-damaged` if the header is invalid or incomplete.
    mutating func statedSize() throws(StoreError) -> (width: Int, height: Int)? {
        try require(2, 0b10)
        let profile = try bits(1) | bits(1) << 1
        if profile == 3 { try require(1, 0) }
        let showsEarlierFrame = try bits(1) == 1
        if showsEarlierFrame { return nil }
        let isKeyFrame = try bits(1) == 0
        let isShown = try bits(1) == 1
        let isErrorResilient = try bits(1) == 1
        if isKeyFrame {
            try require(24, Self.syncCode)
            try skipColourSettings(profile)
            return try size()
        }
        let isIntraOnly = try isShown ? false : bits(1) == 1
        // Which probabilities are reset (`reset_frame_context`).
        if !isErrorResilient { _ = try bits(2) }
        if isIntraOnly {
            try require(24, Self.syncCode)
            if profile > 0 { try skipColourSettings(profile) }
            _ = try bits(8)
            return try size()
        }
        // The frames that are replaced, and three references with a sign each.
        _ = try bits(8 + 3 * 4)
        for _ in 0..<3 {
            let hasItsSize = try bits(1) == 1
            if hasItsSize { return nil }
        }
        return try size()
    }

    private static let syncCode = 0x49_8342

    private mutating func skipColourSettings(_ profile: Int) throws(StoreError) {
        // 10 or 12 bits.
        if profile >= 2 { _ = try bits(1) }
        let isRGB = try bits(3) == 7
        let statesSubsampling = profile == 1 || profile == 3
        // The range; the subsampling in both directions and a reserved bit, which is alone in RGB.
        if !isRGB { _ = try bits(1) }
        if statesSubsampling { _ = try bits(isRGB ? 1 : 3) }
    }

    private mutating func size() throws(StoreError) -> (width: Int, height: Int) {
        let width = try bits(16) + 1
        return (width, try bits(16) + 1)
    }

    private mutating func require(_ count: Int, _ value: Int) throws(StoreError) {
        guard try bits(count) == value else { throw StoreError(.imageFrameNotDecodable) }
    }

    /// Reads a number of `count` bits, the highest bit first.
    private mutating func bits(_ count: Int) throws(StoreError) -> Int {
        guard position + count <= bytes.count * 8 else { throw StoreError(.imageFrameNotDecodable) }
        var value = 0
        for _ in 0..<count {
            let byte = bytes[bytes.startIndex + position / 8]
            value = value << 1 | Int(byte >> (7 - position % 8) & 1)
            position += 1
        }
        return value
    }
}
