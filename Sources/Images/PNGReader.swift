import StoreModel

/// A validator of the chunk structure of a PNG image (W3C, PNG third edition, which includes animations).
struct PNGReader {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private var bytes: ImageBytes
    private let limits: ImageLimits
    private var width = 0
    private var height = 0
    private var colourType = 0
    private var hasPalette = false
    /// The reader's position relative to the image data (`IDAT`) of the PNG: 0 before, 1 within, 2 after it.
    private var dataPart = 0
    /// The number of frames that the PNG's animation header (`acTL`) states; `nil` if there is no such header.
    private var promisedFrames: Int?
    private var frames = 0
    /// The expected sequence number of the PNG's next animation chunk.
    private var sequence = 0
    /// Whether the current frame of the animated PNG has no data yet.
    private var frameIsEmpty = false

    private init(_ bytes: ImageBytes, _ limits: ImageLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    static func read(_ bytes: ImageBytes, limits: ImageLimits) throws -> ImageFacts {
        var reader = PNGReader(bytes, limits)
        return try reader.read()
    }

    /// Returns whether the first bytes of a PNG file contain an animation header (`acTL`).
    static func isAnimated(_ head: ArraySlice<UInt8>) -> Bool {
        var chunks = ImageBytes(Array(head))
        var place = signature.count
        while let length = try? chunks.big32(at: place), let isData = try? chunks.has("IDAT", at: place + 4), !isData {
            if (try? chunks.has("acTL", at: place + 4)) == true { return true }
            place += 12 + length
        }
        return false
    }

    private mutating func read() throws -> ImageFacts {
        guard try bytes.bytes(at: 0, 8).elementsEqual(PNGReader.signature) else {
            throw StoreError(.imageWithoutSignature)
        }
        var place = 8
        while true {
            let length = try bytes.big32(at: place)
            let type = Array(try bytes.bytes(at: place + 4, 4))
            // The chunk and its checksum must be within the file.
            guard length <= bytes.count - place - 12 else { throw StoreError(.imageTruncated) }
            guard type.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
                throw StoreError(.imageUnexpectedData, ["offset": place])
            }
            let name = String(decoding: type, as: UTF8.self)
            guard (place == 8) == (name == "IHDR") else {
                throw StoreError(.imageWithoutHeader)
            }
            try chunk(name, at: place + 8, length)
            place += 12 + length
            if name == "IEND" { return try end(at: place) }
        }
    }

    private mutating func chunk(_ name: String, at place: Int, _ length: Int) throws {
        if name != "IDAT", dataPart == 1 { dataPart = 2 }
        switch name {
        case "IHDR": try header(at: place, length)
        case "PLTE":
            guard length % 3 == 0, (3...768).contains(length), !hasPalette, dataPart == 0 else { throw invalid(name) }
            hasPalette = true
        case "IDAT":
            guard dataPart < 2, colourType != 3 || hasPalette else { throw invalid(name) }
            dataPart = 1
            frameIsEmpty = false
        case "IEND":
            guard length == 0, dataPart > 0 else { throw invalid(name) }
        case "acTL":
            guard length == 8, promisedFrames == nil, dataPart == 0 else { throw invalid(name) }
            let promised = try bytes.big32(at: place)
            guard promised > 0 else { throw invalid(name) }
            promisedFrames = promised
            try limits.check(width: width, height: height, frames: promised)
        case "fcTL": try frame(at: place, length)
        case "fdAT":
            guard length >= 4, dataPart == 2, frames > 0 else { throw invalid(name) }
            try step(at: place)
            frameIsEmpty = false
        default:
            // A lower-case first letter marks an ancillary chunk, which decoders may ignore.
            guard name.utf8.first.map({ $0 & 0x20 != 0 }) == true else { throw invalid(name) }
        }
    }

    private mutating func header(at place: Int, _ length: Int) throws {
        guard length == 13 else { throw invalid("IHDR") }
        (width, height) = (try bytes.big32(at: place), try bytes.big32(at: place + 4))
        colourType = try bytes.u8(at: place + 9)
        let depth = try bytes.u8(at: place + 8)
        let depths: [Int] =
            switch colourType {
            case 0: [1, 2, 4, 8, 16]
            case 3: [1, 2, 4, 8]
            case 2, 4, 6: [8, 16]
            default: []
            }
        let methods = (try bytes.u8(at: place + 10), try bytes.u8(at: place + 11), try bytes.u8(at: place + 12))
        guard depths.contains(depth), methods.0 == 0, methods.1 == 0, methods.2 <= 1 else { throw invalid("IHDR") }
        try limits.check(width: width, height: height)
    }

    private mutating func frame(at place: Int, _ length: Int) throws {
        guard promisedFrames != nil, length == 26, !frameIsEmpty else { throw invalid("fcTL") }
        try step(at: place)
        let (w, h) = (try bytes.big32(at: place + 4), try bytes.big32(at: place + 8))
        let (x, y) = (try bytes.big32(at: place + 12), try bytes.big32(at: place + 16))
        guard w > 0, h > 0, x + w <= width, y + h <= height else { throw invalid("fcTL") }
        frames += 1
        frameIsEmpty = true
    }

    /// Checks that the sequence number of a PNG's animation chunk is the expected one, and increments that.
    private mutating func step(at place: Int) throws {
        guard try bytes.big32(at: place) == sequence else { throw StoreError(.imageFramesOutOfOrder) }
        sequence += 1
    }

    private mutating func end(at place: Int) throws -> ImageFacts {
        if let promisedFrames {
            guard frames == promisedFrames, !frameIsEmpty else {
                throw StoreError(.imageFrameCountMismatch, ["count": frames, "declared": promisedFrames])
            }
        }
        try bytes.requireEnd(at: place)
        return ImageFacts(
            format: promisedFrames == nil ? .png : .apng, width: width, height: height, frames: promisedFrames ?? 1)
    }

    private func invalid(_ chunk: String) -> StoreError { StoreError(.imageChunkInvalid, ["chunk": .untrusted(chunk)]) }
}
