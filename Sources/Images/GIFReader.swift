import StoreModel

/// A validator of the block structure of a GIF image (CompuServe, GIF89a).
struct GIFReader {
    private var bytes: ImageBytes
    private let limits: ImageLimits
    private var width = 0
    private var height = 0
    private var frames = 0

    private init(_ bytes: ImageBytes, _ limits: ImageLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    static func read(_ bytes: ImageBytes, limits: ImageLimits) throws -> ImageFacts {
        var reader = GIFReader(bytes, limits)
        return try reader.read()
    }

    private mutating func read() throws -> ImageFacts {
        guard try bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) else {
            throw StoreError(.imageWithoutSignature)
        }
        (width, height) = (try bytes.little16(at: 6), try bytes.little16(at: 8))
        if width > 0, height > 0 { try limits.check(width: width, height: height) }
        var place = 13 + GIFReader.tableSize(try bytes.u8(at: 10))
        while true {
            let kind = try bytes.u8(at: place)
            switch kind {
            case 0x21: place = try blocks(from: place + 2).end
            case 0x2C: place = try frame(at: place + 1)
            case 0x3B: return try end(at: place + 1)
            default: throw StoreError(.imageUnexpectedData, ["offset": place])
            }
        }
    }

    /// Returns the size in bytes of a GIF color table, computed from the flags byte that declares the table.
    private static func tableSize(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }

    /// Validates the frame of the GIF image at an offset of the file.
    ///
    /// - Returns: the offset after the frame.
    private mutating func frame(at place: Int) throws -> Int {
        // Decoders enlarge an image that is smaller than its first frame, or its largest one.
        width = max(width, try bytes.little16(at: place) + bytes.little16(at: place + 4))
        height = max(height, try bytes.little16(at: place + 2) + bytes.little16(at: place + 6))
        frames += 1
        try limits.check(width: width, height: height, frames: frames)
        let data = place + 9 + GIFReader.tableSize(try bytes.u8(at: place + 8))
        guard (1...11).contains(try bytes.u8(at: data)) else {
            throw StoreError(.imageFrameNotDecodable)
        }
        let (isEmpty, end) = try blocks(from: data + 1)
        guard !isEmpty else { throw StoreError(.imageFrameEmpty) }
        return end
    }

    /// Skips data sub-blocks of a GIF image up to the block of length 0 that ends them.
    ///
    /// - Returns: whether there was no data, and the offset after the blocks.
    private mutating func blocks(from start: Int) throws -> (isEmpty: Bool, end: Int) {
        var place = start
        while true {
            let length = try bytes.u8(at: place)
            if length == 0 { return (place == start, place + 1) }
            // Some encoders omit the block of length 0 before the trailer, which decoders accept.
            if length == 0x3B, place == bytes.count - 1, place > start { return (false, place) }
            place += 1 + length
        }
    }

    /// Whether the bytes after the GIF image's trailer are the remainder of a longer GIF.
    ///
    /// Old tools that shorten a GIF leave a few bytes up to the trailer of the longer one. The only other files of so
    /// few bytes are the end record of an archive and a page of one line, which are excluded.
    private mutating func isRemainder(at place: Int) throws -> Bool {
        let count = bytes.count - place
        guard (1...128).contains(count) else { return false }
        let rest = Array(try bytes.bytes(at: place, count))
        return rest.last == 0x3B && !rest.contains("PK".utf8) && !rest.contains("<?".utf8)
    }

    private mutating func end(at place: Int) throws -> ImageFacts {
        guard frames > 0 else { throw StoreError(.imageWithoutPicture) }
        if try !isRemainder(at: place) { try bytes.requireEnd(at: place) }
        return ImageFacts(format: .gif, width: width, height: height, frames: frames)
    }
}
