import StoreModel

/// A validator of the element structure of a WebM file (EBML, RFC 8794; Matroska, RFC 9559): one video track in VP8 or VP9.
struct WebMReader {
    private var reader: EBMLReader
    private let limits: AnimationLimits
    private var docType = ""
    private var timestampScale = 1_000_000
    private var duration: Double?
    private var clusters: [EBMLElement] = []
    private var tracks: [Track] = []

    private struct Track {
        var number = 1
        var type = 0
        var codec = ""
        var width = 0
        var height = 0
        var matrix: Int?
        /// Whether the frames are compressed or encrypted once more, which no encoder of WebM does.
        var isEncodedAgain = false
    }

    /// The identifiers of the elements that are read.
    private enum Identifier {
        static let (ebml, docType) = (0x1A45_DFA3, 0x4282)
        static let (segment, info, timestampScale, duration) = (0x1853_8067, 0x1549_A966, 0x2A_D7B1, 0x4489)
        static let (tracks, entry, number, type, codec) = (0x1654_AE6B, 0xAE, 0xD7, 0x83, 0x86)
        static let (video, width, height, contentEncodings) = (0xE0, 0xB0, 0xBA, 0x6D80)
        static let (colour, matrix) = (0x55B0, 0x55B1)
        static let (cluster, timestamp, simpleBlock, blockGroup, block) = (0x1F43_B675, 0xE7, 0xA3, 0xA0, 0xA1)
        static let (additions, addition, additionNumber, additional) = (0x75A1, 0xA6, 0xEE, 0xA5)
        static let attachments = 0x1941_A469
    }

    init(_ bytes: [UInt8], limits: AnimationLimits) {
        reader = EBMLReader(ImageBytes(bytes))
        self.limits = limits
    }

    /// Returns the size and duration of the video, whose frames are not looked for.
    func read() throws -> AnimationFacts {
        var reader = self
        return try reader.readFile().facts
    }

    /// Returns the video with all of its frames.
    func readVideo() throws -> EncodedVideo {
        var reader = self
        return try reader.readFrames()
    }

    private mutating func readFile() throws -> (facts: AnimationFacts, track: Track, codec: EncodedVideo.Codec) {
        let header = try reader.element(at: 0, end: reader.count)
        guard header.identifier == Identifier.ebml else { throw StoreError(.imageWithoutSignature) }
        for child in try reader.children(of: header) where child.identifier == Identifier.docType {
            docType = try reader.text(of: child)
        }
        guard docType == "webm" else { throw StoreError(.animationNotWebM, ["type": .untrusted(docType)]) }
        let segment = try reader.element(at: header.end, end: reader.count)
        guard segment.identifier == Identifier.segment else {
            throw StoreError(.imageUnexpectedData, ["offset": header.end])
        }
        for part in try reader.children(of: segment) { try readPart(part) }
        try reader.requireEnd(at: segment.end)
        guard tracks.count == 1, let track = tracks.first, track.type == 1 else {
            throw StoreError(.animationTracks, ["count": tracks.count])
        }
        guard let codec = EncodedVideo.Codec(rawValue: track.codec) else {
            throw StoreError(.animationCodec, ["codec": .untrusted(track.codec)])
        }
        guard !clusters.isEmpty else { throw StoreError(.imageWithoutPicture) }
        guard let duration else { throw StoreError(.animationWithoutDuration) }
        let facts = AnimationFacts(
            format: .webm, width: track.width, height: track.height, seconds: seconds(duration))
        return (facts, track, codec)
    }

    /// Returns the seconds of a time in the file's unit.
    private func seconds(_ time: Double) -> Double { time * Double(timestampScale) / 1_000_000_000 }

    private mutating func readPart(_ part: EBMLElement) throws {
        switch part.identifier {
        case Identifier.info:
            for child in try reader.children(of: part) {
                switch child.identifier {
                case Identifier.timestampScale: timestampScale = try reader.number(of: child)
                case Identifier.duration: duration = try reader.real(of: child)
                default: break
                }
            }
        case Identifier.tracks:
            for child in try reader.children(of: part) where child.identifier == Identifier.entry {
                try readTrack(child)
            }
        case Identifier.cluster: clusters.append(part)
        // Fonts and other files.
        case Identifier.attachments: throw StoreError(.imageUnexpectedData, ["offset": part.start])
        default: break
        }
    }

    private mutating func readTrack(_ entry: EBMLElement) throws {
        var track = Track()
        for child in try reader.children(of: entry) {
            switch child.identifier {
            case Identifier.number: track.number = try reader.number(of: child)
            case Identifier.type: track.type = try reader.number(of: child)
            case Identifier.codec: track.codec = try reader.text(of: child)
            case Identifier.video: try readVideoSettings(child, &track)
            case Identifier.contentEncodings: track.isEncodedAgain = true
            default: break
            }
        }
        tracks.append(track)
    }

    private mutating func readVideoSettings(_ video: EBMLElement, _ track: inout Track) throws {
        for child in try reader.children(of: video) {
            switch child.identifier {
            case Identifier.width: track.width = try reader.number(of: child)
            case Identifier.height: track.height = try reader.number(of: child)
            case Identifier.colour:
                for inner in try reader.children(of: child) where inner.identifier == Identifier.matrix {
                    // 2 means unknown.
                    track.matrix = try reader.number(of: inner)
                    if track.matrix == 2 { track.matrix = nil }
                }
            default: break
            }
        }
    }

    // MARK: Frames

    private mutating func readFrames() throws -> EncodedVideo {
        let (facts, track, codec) = try readFile()
        guard !track.isEncodedAgain else { throw StoreError(.imageHeaderInvalid) }
        var frames: [EncodedVideo.Frame] = []
        for cluster in clusters {
            var start = 0
            for child in try reader.children(of: cluster, endingAt: Identifier.cluster) {
                switch child.identifier {
                case Identifier.timestamp: start = try reader.number(of: child)
                case Identifier.simpleBlock:
                    if let frame = try frame(in: child, opacity: nil, of: track, after: start) { frames.append(frame) }
                case Identifier.blockGroup:
                    if let frame = try frame(inGroup: child, of: track, after: start) { frames.append(frame) }
                default: break
                }
            }
        }
        guard !frames.isEmpty else { throw StoreError(.imageWithoutPicture) }
        // Encoders of VP8 add frames that are not shown, but not after each one.
        let limit = Int(limits.frameRate * limits.seconds) * 2
        guard frames.count <= limit else {
            throw StoreError(.imageFramesExceeded, ["count": frames.count, "limit": limit])
        }
        return EncodedVideo(facts: facts, codec: codec, matrix: track.matrix, frames: frames)
    }

    /// Returns the frame in a group, which is a block with what belongs to it.
    private mutating func frame(
        inGroup group: EBMLElement, of track: Track, after start: Int
    ) throws -> EncodedVideo.Frame? {
        var block: EBMLElement?
        var opacity: Range<Int>?
        for child in try reader.children(of: group) {
            switch child.identifier {
            case Identifier.block: block = child
            case Identifier.additions:
                for addition in try reader.children(of: child) where addition.identifier == Identifier.addition {
                    opacity = try opacityFrame(in: addition) ?? opacity
                }
            default: break
            }
        }
        return try block.flatMap { try frame(in: $0, opacity: opacity, of: track, after: start) }
    }

    /// Returns the bytes of an addition to a block if it is the opacity, which has the number 1 (RFC 9559, 5.1.4.1.16).
    private mutating func opacityFrame(in addition: EBMLElement) throws -> Range<Int>? {
        var number = 1
        var bytes: Range<Int>?
        for child in try reader.children(of: addition) {
            if child.identifier == Identifier.additionNumber { number = try reader.number(of: child) }
            if child.identifier == Identifier.additional { bytes = child.start..<child.end }
        }
        return number == 1 ? bytes : nil
    }

    /// Returns the frame in a block; `nil` if the block is of another track, which the file does not have.
    private mutating func frame(
        in block: EBMLElement, opacity: Range<Int>?, of track: Track, after start: Int
    ) throws -> EncodedVideo.Frame? {
        let (number, offset) = try reader.variableNumber(at: block.start, keepsMarker: false)
        guard number == track.number else { return nil }
        // A time and flags precede the frame, of which lacing puts several into a block; only sound is laced.
        guard offset + 3 < block.end, try reader.byte(at: offset + 2) & 0b110 == 0 else {
            throw StoreError(.imageUnexpectedData, ["offset": block.start])
        }
        let time = seconds(Double(start) + Double(try reader.signed16(at: offset)))
        guard time.isFinite, time <= limits.seconds + 0.1 else {
            throw StoreError(.animationTooLong, ["duration": "\(time.rounded(.up))", "limit": "\(limits.seconds)"])
        }
        return EncodedVideo.Frame(time: max(0, time), colours: offset + 3..<block.end, opacity: opacity)
    }
}
