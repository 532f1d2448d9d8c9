import StoreModel

/// A validator of the element structure of a WebM film (EBML, RFC 8794; Matroska, RFC 9559): one video track in VP9.
struct WebMReader {
    private var bytes: ImageBytes
    private var docType = ""
    private var timestampScale = 1_000_000
    private var duration: Double?
    private var clusters = 0
    private var tracks: [Track] = []

    private struct Track {
        var type = 0
        var codec = ""
        var width = 0
        var height = 0
    }

    /// The identifiers of the elements that are read.
    private enum Identifier {
        static let (ebml, docType) = (0x1A45_DFA3, 0x4282)
        static let (segment, info, timestampScale, duration) = (0x1853_8067, 0x1549_A966, 0x2A_D7B1, 0x4489)
        static let (tracks, entry, type, codec) = (0x1654_AE6B, 0xAE, 0x83, 0x86)
        static let (video, width, height, cluster) = (0xE0, 0xB0, 0xBA, 0x1F43_B675)
        static let attachments = 0x1941_A469
    }

    init(_ bytes: [UInt8]) { self.bytes = ImageBytes(bytes) }

    func read() throws -> AnimationFacts {
        var reader = self
        return try reader.readFile()
    }

    private mutating func readFile() throws -> AnimationFacts {
        let header = try element(at: 0, end: bytes.count)
        guard header.identifier == Identifier.ebml else { throw StoreError(.imageWithoutSignature) }
        try children(of: header) { reader, child in
            if child.identifier == Identifier.docType { reader.docType = try reader.text(of: child) }
        }
        guard docType == "webm" else { throw StoreError(.animationNotWebM, ["type": .untrusted(docType)]) }
        let segment = try element(at: header.end, end: bytes.count)
        guard segment.identifier == Identifier.segment else {
            throw StoreError(.imageUnexpectedData, ["offset": header.end])
        }
        try children(of: segment) { reader, child in try reader.readPart(child) }
        try bytes.requireEnd(at: segment.end)
        guard tracks.count == 1, let track = tracks.first, track.type == 1 else {
            throw StoreError(.animationTracks, ["count": tracks.count])
        }
        guard track.codec == "V_VP9" else { throw StoreError(.animationCodec, ["codec": .untrusted(track.codec)]) }
        guard clusters > 0 else { throw StoreError(.imageWithoutPicture) }
        guard let duration else { throw StoreError(.animationWithoutDuration) }
        return AnimationFacts(
            format: .webm, width: track.width, height: track.height,
            seconds: duration * Double(timestampScale) / 1_000_000_000)
    }

    private mutating func readPart(_ part: Element) throws {
        switch part.identifier {
        case Identifier.info:
            try children(of: part) { reader, child in
                switch child.identifier {
                case Identifier.timestampScale: reader.timestampScale = try reader.number(of: child)
                case Identifier.duration: reader.duration = try reader.real(of: child)
                default: break
                }
            }
        case Identifier.tracks:
            try children(of: part) { reader, child in
                if child.identifier == Identifier.entry { try reader.readTrack(child) }
            }
        case Identifier.cluster: clusters += 1
        // Fonts and other files.
        case Identifier.attachments: throw StoreError(.imageUnexpectedData, ["offset": part.start])
        default: break
        }
    }

    private mutating func readTrack(_ entry: Element) throws {
        var track = Track()
        try children(of: entry) { reader, child in
            switch child.identifier {
            case Identifier.type: track.type = try reader.number(of: child)
            case Identifier.codec: track.codec = try reader.text(of: child)
            case Identifier.video:
                try reader.children(of: child) { reader, inner in
                    if inner.identifier == Identifier.width { track.width = try reader.number(of: inner) }
                    if inner.identifier == Identifier.height { track.height = try reader.number(of: inner) }
                }
            default: break
            }
        }
        tracks.append(track)
    }

    // MARK: Elements

    private struct Element {
        let identifier: Int
        /// The offset of the element's content from the start of the file.
        let start: Int
        let end: Int
    }

    private mutating func element(at offset: Int, end: Int) throws -> Element {
        let (identifier, afterIdentifier) = try variableNumber(at: offset, keepsMarker: true)
        let (length, start) = try variableNumber(at: afterIdentifier, keepsMarker: false)
        // All bits set mean an unknown size, which live streams have; the element then fills its parent.
        let isUnknown = length == (1 << (7 * (start - afterIdentifier))) - 1
        guard isUnknown || length <= end - start else { throw StoreError(.imageTruncated) }
        return Element(identifier: identifier, start: start, end: isUnknown ? end : start + length)
    }

    private mutating func children(
        of parent: Element, _ visit: (inout WebMReader, Element) throws -> Void
    ) throws {
        var offset = parent.start
        while offset < parent.end {
            let child = try element(at: offset, end: parent.end)
            try visit(&self, child)
            offset = child.end
        }
    }

    /// Returns a number whose leading zero bits say how many bytes it has, and the offset after it.
    private mutating func variableNumber(at offset: Int, keepsMarker: Bool) throws -> (number: Int, end: Int) {
        let first = try bytes.u8(at: offset)
        guard first > 0 else { throw StoreError(.imageUnexpectedData, ["offset": offset]) }
        let length = UInt8(first).leadingZeroBitCount + 1
        guard length <= (keepsMarker ? 4 : 8) else { throw StoreError(.imageUnexpectedData, ["offset": offset]) }
        var number = keepsMarker ? first : first & (0xFF >> length)
        for index in 1..<max(length, 1) { number = number << 8 | (try bytes.u8(at: offset + index)) }
        return (number, offset + length)
    }

    private mutating func number(of element: Element) throws -> Int {
        guard (1...7).contains(element.end - element.start) else { throw StoreError(.imageHeaderInvalid) }
        return try (element.start..<element.end).reduce(0) { try $0 << 8 | bytes.u8(at: $1) }
    }

    private mutating func real(of element: Element) throws -> Double {
        let raw = try (element.start..<element.end).reduce(UInt64(0)) { try $0 << 8 | UInt64(bytes.u8(at: $1)) }
        switch element.end - element.start {
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: raw)))
        case 8: return Double(bitPattern: raw)
        default: throw StoreError(.imageHeaderInvalid)
        }
    }

    private mutating func text(of element: Element) throws -> String {
        guard element.end - element.start <= 64 else { throw StoreError(.imageHeaderInvalid) }
        return String(decoding: try bytes.bytes(at: element.start, element.end - element.start), as: UTF8.self)
            .replacing("\0", with: "")
    }
}
