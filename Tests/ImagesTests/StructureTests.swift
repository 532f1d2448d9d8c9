import StoreTestSupport
import Testing

@testable import StoreImages

@Suite struct StructureTests {
    private static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

    private static let signature = Forge.pngSignature
    private static let data = Forge.chunk("IDAT", [1])
    private static let end = Forge.chunk("IEND")
    private static let actl = Forge.chunk("acTL", Forge.big(1) + Forge.big(0))

    private static let badPNG: [(String, [UInt8])] = [
        ("no header", join(signature, data, end)),
        ("two headers", join(signature, Forge.ihdr(1, 1), Forge.ihdr(1, 1), data, end)),
        ("a header too short", join(signature, Forge.chunk("IHDR", Forge.big(1) + Forge.big(1)), data, end)),
        ("a depth that is none", join(signature, Forge.ihdr(1, 1, depth: 3), data, end)),
        ("a depth that its colours don't have", join(signature, Forge.ihdr(1, 1, depth: 1, colour: 6), data, end)),
        ("colours that are none", join(signature, Forge.ihdr(1, 1, colour: 5), data, end)),
        ("no data", join(signature, Forge.ihdr(1, 1), end)),
        ("data in two places", join(signature, Forge.ihdr(1, 1), data, Forge.chunk("teXt"), data, end)),
        ("no palette", join(signature, Forge.ihdr(1, 1, colour: 3), data, end)),
        ("half a colour", join(signature, Forge.ihdr(1, 1), Forge.chunk("PLTE", [1, 2]), data, end)),
        ("a chunk that all must know", join(signature, Forge.ihdr(1, 1), Forge.chunk("Need"), data, end)),
        ("a chunk that is none", join(signature, Forge.ihdr(1, 1), Forge.chunk("te-t"), data, end)),
        ("an end with something in it", join(signature, Forge.ihdr(1, 1), data, Forge.chunk("IEND", [1]))),
        ("a chunk longer than the file", join(signature, Forge.ihdr(1, 1), Forge.big(0xFFFF_FFF0), Array("IDAT".utf8))),
        ("more frames promised", Forge.apng(frames: 2, declaredFrames: 3)),
        ("fewer frames promised", Forge.apng(frames: 3, declaredFrames: 2)),
        ("no frames promised", Forge.apng(frames: 1, declaredFrames: 0)),
        ("an animation after the data", join(signature, Forge.ihdr(1, 1), data, actl, end)),
        ("a frame without an animation", join(signature, Forge.ihdr(1, 1), Forge.fctl(0, 1, 1), data, end)),
        ("a frame without data", join(signature, Forge.ihdr(1, 1), actl, data, Forge.fctl(0, 1, 1), end)),
        ("a frame outside", join(signature, Forge.ihdr(2, 2), actl, Forge.fctl(0, 2, 2, x: 1), data, end)),
        ("a frame far outside", join(signature, Forge.ihdr(2, 2), actl, Forge.fctl(0, 2, 0xFFFF_FFFF), data, end)),
        ("frames out of order", join(signature, Forge.ihdr(2, 2), actl, Forge.fctl(1, 2, 2), data, end)),
    ]

    @Test(arguments: badPNG) func `an invalid PNG is rejected`(what: String, image: [UInt8]) {
        #expect(refusal(image) == "content.image-damaged", "\(what)")
    }

    private static let gifStart = Forge.gifHeader(2, 2)
    private static let frame = Forge.gifFrameHeader(2, 2)

    private static let badGIF: [(String, [UInt8])] = [
        ("no frame", join(gifStart, [0x3B])),
        ("a frame without data", join(gifStart, frame, [0, 0x3B])),
        ("codes that are none", join(gifStart, Array(frame.dropLast()), [0, 1, 1, 0, 0x3B])),
        ("a block that is none", join(gifStart, [0x00], frame, [1, 1, 0, 0x3B])),
        ("a block longer than the file", join(gifStart, frame, [200, 1, 0, 0x3B])),
        ("a table longer than the file", join(Array("GIF89a".utf8), [2, 0, 2, 0, 0x87, 0, 0, 0x2C])),
    ]

    @Test(arguments: badGIF) func `an invalid GIF is rejected`(what: String, image: [UInt8]) {
        #expect(refusal(image) == "content.image-damaged", "\(what)")
    }

    @Test func `a GIF is as large as its frames`() throws {
        let image = Forge.gifHeader(1, 1) + [0x2C, 9, 0, 0, 0] + [2, 0, 3, 0, 0] + [2, 1, 1, 0, 0x3B]
        #expect(try facts(image) == ImageFacts(format: .gif, width: 11, height: 3, frames: 1))
    }

    private static let sof = Forge.segment(0xC0, [8, 0, 1, 0, 1, 1, 1, 0x11, 0])
    private static let scan = Forge.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 2]

    private static let badJPEG: [(String, [UInt8])] = [
        ("no size", join([0xFF, 0xD8], scan, [0xFF, 0xD9])),
        ("two sizes", join([0xFF, 0xD8], sof, sof, scan, [0xFF, 0xD9])),
        ("no picture", join([0xFF, 0xD8], sof, [0xFF, 0xD9])),
        ("no components", join([0xFF, 0xD8], Forge.segment(0xC0, [8, 0, 1, 0, 1, 0]), scan, [0xFF, 0xD9])),
        ("components outside", join([0xFF, 0xD8], Forge.segment(0xC0, [8, 0, 1, 0, 1, 3, 1]), scan, [0xFF, 0xD9])),
        ("lossless", Forge.jpeg(sof: 0xC3)), ("arithmetic", Forge.jpeg(sof: 0xC9)),
        ("a segment of no length", join([0xFF, 0xD8, 0xFF, 0xE0, 0, 1], sof, scan, [0xFF, 0xD9])),
        ("no segment", join([0xFF, 0xD8, 0xFF, 0x00], sof, scan, [0xFF, 0xD9])),
        ("a start in it", join([0xFF, 0xD8, 0xFF, 0xD8], sof, scan, [0xFF, 0xD9])),
    ]

    @Test(arguments: badJPEG) func `an invalid JPEG is rejected`(what: String, image: [UInt8]) {
        #expect(refusal(image) == "content.image-damaged", "\(what)")
    }

    private static let still = Forge.vp8x(2, 2, animated: false)
    private static let moving = Forge.vp8x(2, 2, animated: true)

    private static let badWebP: [(String, [UInt8])] = [
        ("no picture", Forge.webp(join(Forge.riffChunk("ALPH", [1])))),
        ("nothing", join(Array("RIFF".utf8), Forge.little(4), Array("WEBP".utf8))),
        ("no picture in a container", Forge.webp(join(still))),
        ("two pictures", Forge.webp(join(still, Forge.vp8(2, 2), Forge.vp8(2, 2)))),
        ("another size", Forge.webp(join(still, Forge.vp8(2, 3)))),
        ("no frame", Forge.webp(join(moving))),
        ("a still picture among frames", Forge.webp(join(moving, Forge.vp8(2, 2)))),
        ("a frame without a picture", Forge.webp(join(moving, Forge.anmf(2, 2, Forge.riffChunk("ALPH", [1]))))),
        ("a frame of another size", Forge.webp(join(moving, Forge.anmf(2, 2, Forge.vp8(1, 2))))),
        ("a frame outside", Forge.webp(join(moving, Forge.anmf(2, 2, x: 2, Forge.vp8(2, 2))))),
        ("a frame too short", Forge.webp(join(moving, Forge.riffChunk("ANMF", [1, 2, 3])))),
        ("a header too short", Forge.webp(join(Forge.riffChunk("VP8X", [0]), Forge.vp8(2, 2)))),
        ("no key frame", Forge.webp(join(Forge.riffChunk("VP8 ", [1, 0, 0, 0x9D, 1, 0x2A, 1, 0, 1, 0])))),
        ("no start code", Forge.webp(join(Forge.riffChunk("VP8 ", [0, 0, 0, 1, 1, 0x2A, 1, 0, 1, 0])))),
        ("another version", Forge.webp(join(Forge.riffChunk("VP8L", [0x2F, 0, 0, 0, 0x20])))),
        ("a chunk longer than the file", Forge.webp(join(Array("VP8L".utf8), Forge.little(100), [0x2F, 0, 0, 0, 0]))),
        ("larger than the file", join(Array("RIFF".utf8), Forge.little(5000), Array("WEBP".utf8), Forge.vp8())),
    ]

    @Test(arguments: badWebP) func `an invalid WebP is rejected`(what: String, image: [UInt8]) {
        #expect(refusal(image) == "content.image-damaged", "\(what)")
    }
}
