import StoreModel

/// A validator of the segment structure of a JPEG image (ITU-T T.81).
struct JPEGReader {
    private var bytes: ImageBytes
    private let limits: ImageLimits
    private var size: (width: Int, height: Int)?
    private var hasScan = false

    private init(_ bytes: ImageBytes, _ limits: ImageLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    static func read(_ bytes: ImageBytes, limits: ImageLimits) throws -> ImageFacts {
        var reader = JPEGReader(bytes, limits)
        return try reader.read()
    }

    private mutating func read() throws -> ImageFacts {
        guard try bytes.big16(at: 0) == 0xFFD8 else { throw StoreError(.imageWithoutSignature) }
        var place = 2
        while true {
            guard try bytes.u8(at: place) == 0xFF else {
                throw StoreError(.imageUnexpectedData, ["offset": place])
            }
            let marker = try bytes.u8(at: place + 1)
            switch marker {
            // Fill bytes may precede a marker.
            case 0xFF: place += 1
            case 0xD9: return try end(at: place + 2)
            case 0x00, 0x01, 0xD0...0xD8: throw StoreError(.imageUnexpectedData, ["offset": place])
            default:
                let length = try bytes.big16(at: place + 2)
                guard length >= 2, length <= bytes.count - place - 2 else {
                    throw StoreError(.imageTruncated)
                }
                try segment(marker, at: place + 4, length - 2)
                place += 2 + length
                if marker == 0xDA { place = try endOfScan(from: place) }
            }
        }
    }

    private mutating func segment(_ marker: Int, at place: Int, _ length: Int) throws {
        switch marker {
        // Baseline, extended and progressive, which decoders support.
        case 0xC0, 0xC1, 0xC2:
            guard size == nil, length >= 6 else { throw StoreError(.imageSecondSize) }
            let (height, width) = (try bytes.big16(at: place + 1), try bytes.big16(at: place + 3))
            let components = try bytes.u8(at: place + 5)
            guard (1...4).contains(components), length == 6 + 3 * components else {
                throw StoreError(.imageHeaderInvalid)
            }
            try limits.check(width: width, height: height)
            size = (width, height)
        case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            throw StoreError(.imageEncodingUnsupported)
        case 0xDA:
            guard size != nil else { throw StoreError(.imageWithoutSize) }
            hasScan = true
        default: break
        }
    }

    /// Returns the offset after the entropy-coded data of a JPEG image's scan.
    ///
    /// In such data a byte 0xFF is followed by 0, or is a restart marker.
    private mutating func endOfScan(from start: Int) throws -> Int {
        var place = start
        while let found = try bytes.find(0xFF, from: place) {
            let next = try bytes.u8(at: found + 1)
            if next == 0x00 || (0xD0...0xD7).contains(next) {
                place = found + 2
            } else if next == 0xFF {
                place = found + 1
            } else {
                return found
            }
        }
        throw StoreError(.imageTruncated)
    }

    private mutating func end(at place: Int) throws -> ImageFacts {
        guard let size, hasScan else { throw StoreError(.imageWithoutPicture) }
        try bytes.requireEnd(at: place)
        return ImageFacts(format: .jpeg, width: size.width, height: size.height, frames: 1)
    }
}
