import FoundationEssentials
import StoreImages
import StoreModel
import StoreTestSupport
import StoreVideos
import Testing

/// The videos in `Tests/Images`, whose README says what they show, decoded in this process.
@Suite(.hangGuard) struct VideoDecoderTests {
    /// A video, and the times of its frames in milliseconds.
    struct Example: Sendable, CustomTestStringConvertible {
        let name: String
        var width = 96
        var height = 64
        var times = [0, 100, 200, 300, 400, 500]
        var hasOpacity = false
        var firstVisible = 0

        var testDescription: String { name }
    }

    static let examples = [
        Example(name: "bars-vp9", hasOpacity: true),
        Example(name: "bars-vp8", hasOpacity: true),
        Example(name: "late", hasOpacity: true, firstVisible: 2),
        Example(name: "bars-709", times: [0, 33, 67, 100, 133, 167]),
        Example(name: "bars-odd", width: 75, height: 49, times: [0, 17, 33, 50, 67, 83, 100, 117]),
        Example(name: "bars-444"), Example(name: "bars-rgb"), Example(name: "bars-10bit"),
    ]

    private static func read(_ name: String) throws -> [UInt8] {
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return Array(try Data(contentsOf: URL(filePath: "/\(tests)/Images/\(name).webm")))
    }

    private static func decode(_ bytes: [UInt8]) throws -> [VideoFrame] {
        var frames: [VideoFrame] = []
        try VideoDecoder(bytes).decode { frame in
            frames.append(frame)
            return true
        }
        return frames
    }

    @Test(arguments: examples)
    func `the frames of a video have its times and sizes, and the colours and the opacity of the scene`(
        example: Example
    ) throws {
        let frames = try Self.decode(Self.read(example.name))
        #expect(frames.map { Int(($0.time * 1000).rounded()) } == example.times)
        for (number, frame) in frames.enumerated() {
            #expect([frame.width, frame.height] == [example.width, example.height])
            #expect(frame.colours.count == 4 * example.width * example.height)
            // In 24ths of the width, and in eighths of the height.
            func pixel(_ x: Int, _ y: Int) -> [Int] {
                let offset = (y * frame.height / 8 * frame.width + x * frame.width / 24) * 4
                return frame.colours[offset..<offset + 4].map(Int.init)
            }
            let isVisible = number >= example.firstVisible
            let full = isVisible ? 255 : 0
            let isClear = example.hasOpacity || !isVisible
            let bar = number * 3 + 1
            for (place, expected) in [
                (pixel(bar, 1), [0, 255, 0, full]), (pixel(6, 3), [255, 0, 0, full]),
                (pixel(18, 3), [0, 0, 255, full]),
                (pixel(6, 6), [255, 0, 0, isClear ? 0 : 255]),
                (pixel(18, 6), [0, 0, 255, isClear ? (isVisible ? 128 : 0) : 255]),
            ] {
                let isSimilar = zip(place, expected).allSatisfy { abs($0 - $1) <= 8 }
                #expect(isSimilar, "frame \(number): \(place) instead of \(expected)")
            }
            #expect(frame.isEmpty == !isVisible)
        }
    }

    @Test func `a reduced frame has the mean of the visible colours`() throws {
        let frame = try #require(try Self.decode(Self.read("bars-vp9")).last)
        let half = frame.reduced(by: 2)
        #expect([half.width, half.height, half.colours.count] == [48, 32, 48 * 32 * 4])
        // 48 rows, of which the upper 32 are opaque, and the other 16; a bar is over the blue.
        let whole = frame.reduced(by: 48)
        #expect([whole.width, whole.height] == [2, 2])
        let pixels = (0..<4).map { whole.colours[(4 * $0)..<(4 * $0 + 4)].map(Int.init) }
        for (pixel, expected) in [
            (pixels[0], [255, 0, 0, 170]), (pixels[1], [0, 25, 230, 213]), (pixels[3], [0, 0, 255, 128]),
        ] {
            #expect(zip(pixel, expected).allSatisfy { abs($0 - $1) <= 8 }, "\(pixel) instead of \(expected)")
        }
        #expect(pixels[2][3] <= 1)
        #expect(frame.reduced(by: 1).colours.count == frame.colours.count)
    }

    @Test func `frames that are not needed are not visited, and none after the last one`() throws {
        var times: [Double] = []
        try VideoDecoder(Self.read("bars-vp9")).decode(
            where: { index, time in index > 0 && time < 0.35 },
            visit: { frame in
                times.append(frame.time)
                return times.count < 2
            })
        #expect(times == [0.1, 0.2])
    }

    @Test(arguments: [("av1", "V_AV1"), ("sound", "tracks")])
    func `a file without a video in VP8 or VP9 is refused, with the reason`(name: String, reason: String) throws {
        let bytes = try Self.read(name)
        let error = #expect(throws: StoreError.self) { try VideoDecoder(bytes) }
        #expect(error?.code == .imageDamaged && error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["bars-vp9", "bars-vp8", "bars-444"])
    func `frames of another size than the file states are refused`(name: String) throws {
        var bytes = try Self.read(name)
        let width = try #require(bytes.firstRange(of: [0xB0, 0x81, 96]))
        bytes[width.upperBound - 1] = 80
        let decoder = try VideoDecoder(bytes)
        #expect(decoder.video.facts.width == 80)
        let error = #expect(throws: StoreError.self) { try decoder.decode { _ in true } }
        #expect(error?.code == .imageDamaged)
        #expect(error?.message == "the picture has another width or height than the header states")
    }

    @Test(arguments: examples)
    func `a damaged video gives frames of its size, or an error`(example: Example) throws {
        let bytes = try Self.read(example.name)
        var random = SeededGenerator(seed: 9)
        var refused = 0
        for _ in 0..<60 {
            var damaged = bytes
            for _ in 0..<4 {
                damaged[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            do {
                for frame in try Self.decode(damaged) {
                    #expect(frame.colours.count == 4 * frame.width * frame.height)
                }
            } catch let error as StoreError {
                #expect(error.code.rawValue.hasPrefix("content."), "\(error.message)")
                refused += 1
            }
        }
        #expect(refused > 0)
    }

    @Test func `a frame that is no frame is refused`() throws {
        for codec in ["V_VP8", "V_VP9"] {
            let decoder = try VideoDecoder(AnimationForge.webm(codec: codec))
            let error = #expect(throws: StoreError.self) { try decoder.decode { _ in true } }
            #expect(error?.code == .imageDamaged)
        }
    }
}
