import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreImages

typealias Forge = ImageForge

/// Returns the error code with which an image is rejected; `nil` if it is accepted.
func refusal(_ bytes: [UInt8], _ limits: ImageLimits = ImageLimits()) -> String? {
    do {
        _ = try ImageReader(limits: limits).read(bytes)
        return nil
    } catch let error as StoreError {
        return error.code.rawValue
    } catch {
        return "\(error)"
    }
}

func facts(_ bytes: [UInt8]) throws -> ImageFacts { try ImageReader().read(bytes) }

@Suite struct ImageReaderTests {
    /// A complete image of each format.
    static let whole: [(String, [UInt8], ImageFacts)] = [
        ("png", Forge.png(3, 2), ImageFacts(format: .png, width: 3, height: 2, frames: 1)),
        ("apng", Forge.apng(3, 2, frames: 4), ImageFacts(format: .apng, width: 3, height: 2, frames: 4)),
        ("gif", Forge.gif(3, 2), ImageFacts(format: .gif, width: 3, height: 2, frames: 1)),
        ("animated gif", Forge.gif(3, 2, frames: 5), ImageFacts(format: .gif, width: 3, height: 2, frames: 5)),
        ("jpeg", Forge.jpeg(300, 200), ImageFacts(format: .jpeg, width: 300, height: 200, frames: 1)),
        ("vp8", Forge.webp(Forge.vp8(3, 2)), ImageFacts(format: .webp, width: 3, height: 2, frames: 1)),
        ("vp8l", Forge.webp(Forge.vp8l(300, 200)), ImageFacts(format: .webp, width: 300, height: 200, frames: 1)),
        (
            "vp8x", Forge.webp(Forge.vp8x(3, 2, animated: false) + Forge.riffChunk("ALPH", [0]) + Forge.vp8(3, 2)),
            ImageFacts(format: .webp, width: 3, height: 2, frames: 1)
        ),
        (
            "animated webp", Forge.animatedWebP(3, 2, frames: 6),
            ImageFacts(format: .webp, width: 3, height: 2, frames: 6)
        ),
        (
            "svg", Forge.svg(##"<g id="a"/><use href="#a"/>"##),
            ImageFacts(format: .svg, width: 8, height: 8, frames: 1)
        ),
        ("filler", Forge.bytes(1000), ImageFacts(format: .gif, width: 1, height: 1, frames: 1)),
    ]

    @Test(arguments: whole) func `format, size and frames of an image are found`(
        name: String, image: [UInt8], expected: ImageFacts
    ) throws {
        #expect(try facts(image) == expected, "\(name)")
    }

    @Test func `a file gives the same result as memory`() throws {
        let folder = try TemporaryFolder()
        // Its parts extend across the boundaries of the chunks that are read.
        let padding = (0..<40).map { Forge.chunk("teXt", OriginBytes.random(7000 + $0)) }.flatMap { $0 }
        let big = [
            Forge.png(3, 2, padding), Forge.bytes(500_000),
            Forge.webp(
                Forge.vp8x(3, 2, animated: false) + Forge.riffChunk("ICCP", OriginBytes.random(200_001))
                    + Forge.vp8l(3, 2)),
            Array(Forge.jpeg(9, 9).dropLast(2)) + [UInt8](repeating: 7, count: 300_000) + [0xFF, 0xD9],
        ]
        for (number, image) in (Self.whole.map(\.1) + big).enumerated() {
            try folder.directory.put("\(number)", Data(image))
            let file = try folder.directory.openFile("\(number)")
            let head = try file.read(count: ImageFormat.headLength, at: 0)
            let format = try #require(ImageFormat(head: head[...]))
            let read = try ImageReader().read(file, head: head, size: image.count, as: format)
            #expect(try read == facts(image))
        }
    }

    @Test func `data that is not an image is rejected`() {
        for bytes in [[], [0x89], Array("GIF88a".utf8), Array("<html/>".utf8), Array("BM".utf8), [0xFF, 0xD8, 0x00]] {
            #expect(refusal(bytes) == "content.image-unknown")
        }
    }

    @Test(arguments: whole) func `a truncated image is rejected`(name: String, image: [UInt8], _: ImageFacts) {
        for count in 0..<image.count {
            let word = refusal(Array(image.prefix(count)))
            #expect(word == "content.image-damaged" || word == "content.image-unknown", "\(name) \(count)")
        }
    }

    @Test(arguments: whole.filter { $0.2.format != .svg })
    func `only padding may follow the end of an image`(name: String, image: [UInt8], _: ImageFacts) {
        #expect(refusal(image + [0, 0, 0x0A, 0x0D, 0x20, 0x09]) == nil, "\(name)")
        #expect(refusal(image + [UInt8](repeating: 0, count: 200_000)) == nil, "\(name)")
        for other in [
            ZipForge().file("a").build(), ZipForge().build(), Array("<script>alert(1)</script>".utf8),
            Array("<?php phpinfo();".utf8), Array("%PDF-1.4".utf8), [0x7F, 0x45, 0x4C, 0x46], image,
        ] {
            // An old tool may leave a short second GIF behind the first.
            if name == "gif", other == image { continue }
            #expect(refusal(image + other) == "content.image-trailing", "\(name) \(other.prefix(4))")
            #expect(refusal(image + [0, 0, 0] + other) == "content.image-trailing", "\(name) \(other.prefix(4))")
        }
    }

    @Test func `a GIF may be followed by the remainder of a longer one only`() {
        #expect(refusal(Forge.gif() + [0x12, 0x00, 0x3B]) == nil)
        #expect(refusal(Forge.gif() + [0x12, 0x00]) == "content.image-trailing")
        #expect(refusal(Forge.gif() + ZipForge().build() + [0x3B]) == "content.image-trailing")
        #expect(refusal(Forge.gif() + [UInt8](repeating: 1, count: 128) + [0x3B]) == "content.image-trailing")
    }

    @Test func `a GIF may lack its last block terminator`() {
        #expect(refusal(Array(Forge.gif().dropLast(2)) + [0x3B]) == nil)
        #expect(refusal(Array(Forge.gif().dropLast(2)) + [0x3B, 0]) == "content.image-damaged")
        #expect(refusal(Array(Forge.gif().dropLast(2)) + [0x3C]) == "content.image-damaged")
    }

    // MARK: Limits

    @Test func `large images are rejected`() {
        var limits = ImageLimits()
        limits.pixels = 100
        for make in [
            { Forge.png($0, $1) }, { Forge.apng($0, $1) }, { Forge.gif($0, $1) }, { Forge.jpeg($0, $1) },
            { Forge.webp(Forge.vp8($0, $1)) }, { Forge.webp(Forge.vp8l($0, $1)) },
            { Forge.webp(Forge.vp8x($0, $1, animated: false) + Forge.vp8($0, $1)) },
            { Forge.svg("", #"width="\#($0)px" height="\#($1)""#) },
            { Forge.svg("", #"viewBox="0 0 \#($0) \#($1)""#) },
        ] as [(Int, Int) -> [UInt8]] {
            #expect(refusal(make(10, 10), limits) == nil)
            #expect(refusal(make(10, 11), limits) == "content.image-too-large")
            #expect(refusal(make(101, 1), limits) == "content.image-too-large")
        }
        #expect(refusal(Forge.png(0x7FFF_FFFF, 0x7FFF_FFFF)) == "content.image-too-large")
        #expect(refusal(Forge.png(0xFFFF_FFFF, 0xFFFF_FFFF)) == "content.image-too-large")

        limits = ImageLimits()
        limits.size = 1000
        #expect(refusal(Forge.bytes(1000), limits) == nil)
        #expect(refusal(Forge.bytes(1001), limits) == "content.image-too-large")
    }

    @Test(
        arguments: [
            { Forge.apng(5, 2, frames: $0) }, { Forge.gif(5, 2, frames: $0) }, { Forge.animatedWebP(5, 2, frames: $0) },
        ] as [@Sendable (Int) -> [UInt8]])
    func `an image with too many frames or pixels of all frames is rejected`(make: @Sendable (Int) -> [UInt8]) {
        var limits = ImageLimits()
        limits.frames = 4
        #expect(refusal(make(4), limits) == nil)
        #expect(refusal(make(5), limits) == "content.image-frames")
        limits.frames = 100
        limits.allPixels = 60
        #expect(refusal(make(6), limits) == nil)
        #expect(refusal(make(7), limits) == "content.image-frames")
    }

    @Test func `an image without pixels is rejected`() {
        for image in [
            Forge.png(0, 1), Forge.png(1, 0), Forge.jpeg(0, 1), Forge.jpeg(1, 0), Forge.webp(Forge.vp8(0, 1)),
        ] {
            #expect(refusal(image) == "content.image-damaged")
        }
    }

    // MARK: Random input

    @Test(arguments: whole.map(\.0)) func `reading a mutated image always ends`(name: String) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let image = try #require(Self.whole.first { $0.0 == name }).1
        for _ in 0..<3000 {
            var changed = image
            for _ in 0..<Int.random(in: 1...5, using: &random) where !changed.isEmpty {
                let place = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
                case 1: changed[place] = [0x00, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
                case 2: changed = Array(changed.prefix(place))
                case 3: changed.insert(contentsOf: changed.suffix(from: place), at: place)
                default: changed.remove(at: place)
                }
            }
            let format = try facts(image).format
            do {
                let facts = try ImageReader().read(changed, as: format)
                let isSane = facts.frames > 0 && facts.width * facts.height * facts.frames <= ImageLimits().allPixels
                #expect(isSane, "seed \(seed)")
            } catch {
                #expect(error is StoreError, "\(error), seed \(seed)")
            }
        }
    }
}
