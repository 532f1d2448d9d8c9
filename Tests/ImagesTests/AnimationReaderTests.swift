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
            ("VP8", AnimationForge.webm(codec: "V_VP8"), .imageDamaged),
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

    @Test func `a truncated animation is rejected at every length`() {
        for bytes in [AnimationForge.webm(), AnimationForge.tgs()] {
            for count in 0..<bytes.count {
                #expect(throws: StoreError.self, "\(count)") { try reader.read(Array(bytes[..<count])) }
            }
        }
    }
}
