import StoreModel
import StoreTestSupport
import Testing

@testable import StoreImages

@Suite struct AnimationReaderTests {
    private let reader = AnimationReader()

    @Test func `a TGS animation states its size and duration`() throws {
        let facts = try reader.read(AnimationForge.tgs())
        #expect(facts == AnimationFacts(format: .tgs, width: 512, height: 512, seconds: 3))
    }

    @Test func `a WebM animation states its size and duration`() throws {
        let facts = try reader.read(AnimationForge.webm())
        #expect(facts == AnimationFacts(format: .webm, width: 512, height: 512, seconds: 2))
    }

    @Test(
        arguments: [
            ("no Lottie document", AnimationForge.gzip(Array("{}".utf8)), ErrorCode.imageDamaged),
            ("no JSON", AnimationForge.gzip(Array("{".utf8)), .imageDamaged),
            (
                "an expression", AnimationForge.tgs(layers: #"[{"ks":{"o":{"k":1,"x" : "var $bm_rt = 1;"}}}]"#),
                .imageDamaged
            ),
            (
                "an expression whose name is escaped",
                AnimationForge.tgs(layers: #"[{"ks":{"o":{"k":1,"\u0078":"var $bm_rt = 1;"}}}]"#), .imageDamaged
            ),
            (
                "an image", AnimationForge.tgs(#""assets":[{"id":"i","u":"","p":"data:image/png;base64,AA"}],"#),
                .imageDamaged
            ),
            ("no layers", AnimationForge.tgs(layers: "[]"), .imageDamaged),
            ("too many frames per second", AnimationForge.tgs(rate: 120), .imageFrames),
            ("too long", AnimationForge.tgs(frames: 400), .imageTooLarge),
            ("too wide", AnimationForge.tgs(width: 1024), .imageTooLarge),
            ("trailing data", AnimationForge.tgs() + AnimationForge.tgs().suffix(8), .imageTrailing),
            ("a large file", AnimationForge.tgs(#""nm":"\#(String(repeating: "a", count: 70_000))","#), .imageTooLarge),
        ])
    func `a TGS animation with a defect is rejected`(defect: String, bytes: [UInt8], code: ErrorCode) {
        let error = #expect(throws: StoreError.self, "\(defect)") { try reader.read(bytes) }
        #expect(error?.code == code, "\(defect): \(error?.message ?? "")")
    }

    @Test func `a TGS animation that states a huge size allocates nothing of it`() {
        var bytes = AnimationForge.tgs()
        bytes.replaceSubrange((bytes.count - 4)..., with: [0xFF, 0xFF, 0xFF, 0x7F])
        let error = #expect(throws: StoreError.self) { try reader.read(bytes) }
        #expect(error?.code == .imageTooLarge)
    }

    @Test(
        arguments: [
            ("Matroska", AnimationForge.webm(docType: "matroska"), ErrorCode.imageDamaged),
            ("AV1", AnimationForge.webm(codec: "V_AV1"), .imageDamaged),
            // The size of the track's codec would be in the next element.
            ("an element that ends in its head", AnimationForge.webm(track: [0x86]), .imageDamaged),
            ("sound", AnimationForge.webm(trackType: 2), .imageDamaged),
            ("too long", AnimationForge.webm(seconds: 4), .imageTooLarge),
            ("too wide", AnimationForge.webm(width: 640), .imageTooLarge),
            ("no height", AnimationForge.webm(height: 0), .imageDamaged),
            ("trailing data", AnimationForge.webm() + [1, 2, 3], .imageTrailing),
            ("a large file", AnimationForge.webm() + [UInt8](repeating: 0, count: 300_000), .imageTooLarge),
        ])
    func `a WebM animation with a defect is rejected`(defect: String, bytes: [UInt8], code: ErrorCode) {
        let error = #expect(throws: StoreError.self, "\(defect)") { try reader.read(bytes) }
        #expect(error?.code == code, "\(defect): \(error?.message ?? "")")
    }

    // MARK: Frames

    private static func cluster(_ time: UInt8, _ blocks: [UInt8]) -> [UInt8] {
        AnimationForge.element([0x1F, 0x43, 0xB6, 0x75], AnimationForge.element([0xE7], [time]) + blocks)
    }

    private static func block(_ time: UInt8 = 0, flags: UInt8 = 0, track: UInt8 = 0x81) -> [UInt8] {
        AnimationForge.element([0xA3], [track, 0, time, flags, 7])
    }

    @Test func `the frames of a WebM animation have times, colours and opacity`() throws {
        let element = AnimationForge.element
        let addition = element([0xA6], element([0xEE], [1]) + element([0xA5], [8, 8]))
        let other = element([0xA6], element([0xEE], [4]) + element([0xA5], [9]))
        let colours = element([0xA1], [0x81, 0, 100, 0, 6, 6, 6])
        let group = element([0xA0], colours + element([0x75, 0xA1], addition + other))
        let bytes = AnimationForge.webm(
            codec: "V_VP8", track: element([0x55, 0xB0], []),
            clusters: Self.cluster(0, Self.block() + Self.block(track: 0x82) + group)
                // An unknown size, which the next cluster ends.
                + [0x1F, 0x43, 0xB6, 0x75, 0xFF] + element([0xE7], [200]) + Self.block(50)
                + Self.cluster(250, Self.block(40)))
        let video = try reader.readVideo(bytes)
        #expect(video.codec == .vp8 && video.matrix == nil)
        #expect(video.facts == AnimationFacts(format: .webm, width: 512, height: 512, seconds: 2))
        #expect(video.frames.map(\.time) == [0, 0.1, 0.25, 0.29])
        #expect(video.frames.map { Array(bytes[$0.colours]) } == [[7], [6, 6, 6], [7], [7]])
        #expect(video.frames.map { $0.opacity.map { Array(bytes[$0]) } } == [nil, [8, 8], nil, nil])
        #expect(throws: StoreError.self) { try reader.readVideo(AnimationForge.tgs()) }
    }

    @Test(
        arguments: [
            ("no frame", cluster(0, []), ErrorCode.imageDamaged),
            ("frames of another track only", cluster(0, block(track: 0x82)), .imageDamaged),
            ("a laced block", cluster(0, block(flags: 0b10)), .imageDamaged),
            ("an empty frame", cluster(0, AnimationForge.element([0xA3], [0x81, 0, 0, 0])), .imageDamaged),
            ("a truncated block", cluster(0, AnimationForge.element([0xA3], [0x81])), .imageDamaged),
            (
                "a frame after the end", cluster(0, AnimationForge.element([0xA3], [0x81, 0x7F, 0, 0, 7])),
                .imageTooLarge
            ),
            ("very many frames", cluster(0, (0..<361).flatMap { _ in block() }), .imageFrames),
        ])
    func `a WebM animation with other frames is rejected when these are read`(
        defect: String, clusters: [UInt8], code: ErrorCode
    ) throws {
        let bytes = AnimationForge.webm(clusters: clusters)
        _ = try reader.read(bytes)
        let error = #expect(throws: StoreError.self, "\(defect)") { try reader.readVideo(bytes) }
        #expect(error?.code == code, "\(defect): \(error?.message ?? "")")
    }

    @Test func `frames that are compressed or encrypted once more are rejected`() throws {
        let bytes = AnimationForge.webm(track: AnimationForge.element([0x6D, 0x80], []))
        let error = #expect(throws: StoreError.self) { try reader.readVideo(bytes) }
        #expect(error?.code == .imageDamaged)
    }

    @Test func `a truncated animation is rejected at every length`() {
        for bytes in [AnimationForge.webm(), AnimationForge.tgs()] {
            for count in 0..<bytes.count {
                #expect(throws: StoreError.self, "\(count)") { try reader.read(Array(bytes[..<count])) }
            }
        }
    }
}
