import StoreModel

/// A validator of the chunk structure of a WebP image (RFC 9649).
struct WebPReader {
    private var bytes: ImageBytes
    private let limits: ImageLimits
    private var width = 0
    private var height = 0
    private var frames = 0
    private var pictures = 0

    private init(_ bytes: ImageBytes, _ limits: ImageLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    static func read(_ bytes: ImageBytes, limits: ImageLimits) throws -> ImageFacts {
        var reader = WebPReader(bytes, limits)
        return try reader.read()
    }

    private mutating func read() throws -> ImageFacts {
        guard try bytes.has("RIFF", at: 0), try bytes.has("WEBP", at: 8) else {
            throw StoreError(.imageWithoutSignature)
        }
        let size = try bytes.little32(at: 4)
        guard size >= 12, size <= bytes.count - 8 else { throw StoreError(.imageTruncated) }
        let end = 8 + size
        if try bytes.has("VP8X", at: 12) {
            try extended(end: end)
        } else {
            (width, height) = try picture(at: 12, end: end)
            try limits.check(width: width, height: height)
            frames = 1
            // Decoders ignore chunks after the picture of a simple file.
        }
        try bytes.requireEnd(at: end)
        return ImageFacts(format: .webp, width: width, height: height, frames: frames)
    }

    // MARK: Chunks

    private struct Chunk {
        let name: String
        /// The offset of the WebP chunk's contents from the start of the file.
        let place: Int
        let length: Int
        /// The offset of the next WebP chunk; chunks begin at even offsets.
        var next: Int { place + length + length % 2 }
    }

    private mutating func chunk(at place: Int, end: Int) throws -> Chunk {
        guard end - place >= 8 else { throw StoreError(.imageTruncated) }
        let name = String(decoding: try bytes.bytes(at: place, 4), as: UTF8.self)
        let length = try bytes.little32(at: place + 4)
        guard length <= end - place - 8 else { throw StoreError(.imageTruncated) }
        return Chunk(name: name, place: place + 8, length: length)
    }

    private mutating func extended(end: Int) throws {
        let header = try chunk(at: 12, end: end)
        guard header.length >= 10 else { throw StoreError(.imageHeaderInvalid) }
        let isAnimated = try bytes.u8(at: header.place) & 2 != 0
        width = try bytes.little24(at: header.place + 4) + 1
        height = try bytes.little24(at: header.place + 7) + 1
        try limits.check(width: width, height: height)
        var place = header.next
        while place < end {
            let chunk = try chunk(at: place, end: end)
            switch chunk.name {
            case "ANMF" where isAnimated: try frame(chunk)
            case "VP8 ", "VP8L":
                guard !isAnimated, try picture(at: place, end: end) == (width, height) else {
                    throw StoreError(.imageSizeMismatch)
                }
                pictures += 1
            default: break
            }
            place = chunk.next
        }
        guard isAnimated ? frames > 0 : pictures == 1 else { throw StoreError(.imageWithoutPicture) }
        frames = max(frames, 1)
    }

    private mutating func frame(_ chunk: Chunk) throws {
        guard chunk.length >= 16 else { throw StoreError(.imageFrameTooShort) }
        let (x, y) = (2 * (try bytes.little24(at: chunk.place)), 2 * (try bytes.little24(at: chunk.place + 3)))
        let (w, h) = (try bytes.little24(at: chunk.place + 6) + 1, try bytes.little24(at: chunk.place + 9) + 1)
        guard x + w <= width, y + h <= height else {
            throw StoreError(.imageFrameOutside)
        }
        frames += 1
        try limits.check(width: width, height: height, frames: frames)
        let end = chunk.place + chunk.length
        var place = chunk.place + 16
        while place < end {
            let inner = try self.chunk(at: place, end: end)
            if inner.name == "VP8 " || inner.name == "VP8L" {
                guard try picture(at: place, end: end) == (w, h) else {
                    throw StoreError(.imageFrameSizeMismatch)
                }
                return
            }
            place = inner.next
        }
        throw StoreError(.imageFrameEmpty)
    }

    /// Returns the width and height in pixels that the encoded picture in a WebP chunk states.
    private mutating func picture(at place: Int, end: Int) throws -> (Int, Int) {
        let chunk = try chunk(at: place, end: end)
        switch chunk.name {
        case "VP8 ":
            // RFC 6386, 9.1: a key frame, its start code, two sizes of 14 bits below two of scale.
            guard chunk.length >= 10, try bytes.u8(at: chunk.place) & 1 == 0,
                try bytes.bytes(at: chunk.place + 3, 3).elementsEqual([0x9D, 0x01, 0x2A])
            else { throw StoreError(.imageNotDecodable) }
            let size = (
                try bytes.little16(at: chunk.place + 6) & 0x3FFF, try bytes.little16(at: chunk.place + 8) & 0x3FFF
            )
            guard size.0 > 0, size.1 > 0 else { throw StoreError(.imageWithoutSize) }
            return size
        case "VP8L":
            guard chunk.length >= 5, try bytes.u8(at: chunk.place) == 0x2F else {
                throw StoreError(.imageNotDecodable)
            }
            let fields = try bytes.little32(at: chunk.place + 1)
            guard fields >> 29 == 0 else { throw StoreError(.imageVersionUnsupported, ["version": Int(fields >> 29)]) }
            return (fields & 0x3FFF + 1, fields >> 14 & 0x3FFF + 1)
        default: throw StoreError(.imageWithoutPicture)
        }
    }
}
