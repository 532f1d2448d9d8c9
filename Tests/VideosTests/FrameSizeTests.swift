import StoreModel
import StoreTestSupport
import StoreVideos
import Testing

/// Frames that state another size than their file: libvpx would allocate memory for it, whatever the file states.
@Suite(.hangGuard) struct FrameSizeTests {
    private typealias Block = (colours: [UInt8], opacity: [UInt8]?)

    /// The largest size that libvpx decodes in VP9, and a size of which a frame is smaller than the file states.
    private static let sizes = [(16_384, 16_384), (4_096, 4_096), (512, 512), (97, 64), (96, 63), (16, 16)]
    private static let small = FrameForge.vp9(.key, width: 96, height: 64)

    private static func decode(_ codec: String, _ blocks: [Block], width: Int = 96, height: Int = 64) throws -> Int {
        var count = 0
        try VideoDecoder(FrameForge.webm(codec: codec, width: width, height: height, blocks)).decode { frame in
            #expect([frame.width, frame.height] == [width, height])
            count += 1
            return true
        }
        return count
    }

    /// Expects that the size is the reason of the refusal, and not that the library had no memory or found damage.
    private static func expectRefusal(
        _ codec: String, _ blocks: [Block], width: Int = 96, height: Int = 64, _ what: Comment
    ) {
        let error = #expect(throws: StoreError.self, what) {
            try decode(codec, blocks, width: width, height: height)
        }
        #expect(error?.code == .imageDamaged, what)
        #expect(error?.message == "the picture has another width or height than the header states", what)
    }

    @Test func `frames of the size of the file are decoded`() throws {
        #expect(try Self.decode("V_VP9", [(Self.small, nil), (Self.small, Self.small)]) == 2)
        #expect(try Self.decode("V_VP8", [(FrameForge.vp8(width: 96, height: 64), nil)]) == 1)
        // Frames that are not shown, alone and before another one in a block.
        for kind in [FrameForge.Kind.intraOnly, .hiddenKey] {
            let hidden = FrameForge.vp9(kind, width: 96, height: 64)
            #expect(try Self.decode("V_VP9", [(Self.small, nil), (hidden, nil)]) == 1, "\(kind)")
            let both = FrameForge.vp9(indexed: [hidden, Self.small])
            #expect(try Self.decode("V_VP9", [(Self.small, Self.small), (both, both)]) == 2, "\(kind)")
        }
        // One that refers to an earlier one of the same size, and states its own nevertheless.
        let inter = FrameForge.vp9(.inter, width: 96, height: 64)
        #expect(try Self.decode("V_VP9", [(Self.small, nil), (inter, nil)]) == 1)
    }

    @Test(arguments: sizes)
    func `a VP9 frame of another size is refused, whichever kind it is of and wherever it is`(width: Int, height: Int) {
        for kind in FrameForge.Kind.allCases {
            let frame = FrameForge.vp9(kind, width: width, height: height)
            Self.expectRefusal("V_VP9", [(Self.small, nil), (frame, nil)], "\(kind)")
            Self.expectRefusal("V_VP9", [(Self.small, Self.small), (Self.small, frame)], "\(kind), opacity")
            let indexed = FrameForge.vp9(indexed: [Self.small, frame, Self.small])
            Self.expectRefusal("V_VP9", [(Self.small, nil), (indexed, nil)], "\(kind), in an index")
        }
        Self.expectRefusal("V_VP9", [(FrameForge.vp9(.key, width: width, height: height), nil)], "first")
    }

    @Test(arguments: [(16_383, 16_383), (4_096, 4_096), (512, 512), (97, 64), (96, 63), (16, 16)])
    func `a VP8 key frame of another size is refused`(width: Int, height: Int) {
        let (small, frame) = (FrameForge.vp8(width: 96, height: 64), FrameForge.vp8(width: width, height: height))
        Self.expectRefusal("V_VP8", [(frame, nil)], "first")
        Self.expectRefusal("V_VP8", [(small, nil), (frame, nil)], "second")
        Self.expectRefusal("V_VP8", [(small, small), (small, frame)], "opacity")
    }

    @Test(arguments: ["V_VP8", "V_VP9"])
    func `small frames in a file of the largest size are refused`(codec: String) {
        let frame =
            codec == "V_VP8" ? FrameForge.vp8(width: 16, height: 16) : FrameForge.vp9(.key, width: 16, height: 16)
        Self.expectRefusal(codec, [(frame, nil)], width: 512, height: 512, "\(codec)")
    }

    @Test func `bytes behind a VP9 frame are not decoded as another one`() throws {
        // Without an index, libvpx would decode the large frame, and end with an error.
        let large = FrameForge.vp9(.key, width: 16_384, height: 16_384)
        #expect(try Self.decode("V_VP9", [(Self.small + large, nil)]) == 1)
    }

    @Test(
        arguments: [
            // The marker of two frames with sizes of two bytes, of which there are too few; sizes beyond the block; no frame.
            [0b110_01_001], [0b110_01_000, 0xFF, 0xFF, 0b110_01_000],
            [0b110_00_001, 0, 0, 0b110_00_001],
        ] as [[UInt8]])
    func `an index of VP9 frames that the block does not have is refused`(index: [UInt8]) {
        let block = index.count == 1 ? index : Self.small + index
        let error = #expect(throws: StoreError.self) { try Self.decode("V_VP9", [(block, nil)]) }
        #expect(error?.code == .imageDamaged)
        #expect(error?.message != "the picture has another width or height than the header states")
    }

    @Test func `a VP9 frame that ends within its header is refused`() {
        for kind in FrameForge.Kind.allCases {
            let frame = FrameForge.vp9(kind, width: 96, height: 64)
            for length in 1..<8 {
                let error = #expect(throws: StoreError.self, "\(kind), \(length) bytes") {
                    try Self.decode("V_VP9", [(Self.small, nil), (Array(frame.prefix(length)), nil)])
                }
                #expect(error?.code == .imageDamaged)
            }
        }
    }
}
