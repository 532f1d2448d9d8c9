import StoreImages
import StoreModel
import StoreSystem
import StoreTestSupport
import StoreWorker
import Testing

/// Thumbnails and contact sheets, drawn by the real program in confined processes.
@Suite(.hangGuard, .needsConfinement) struct ThumbnailTests {
    /// An image, and the size of its thumbnail of 64 pixels.
    struct Example: Sendable, CustomTestStringConvertible {
        let path: String
        let width: Int
        let height: Int
        var frames = 1

        var testDescription: String { path }
    }

    static let examples = [
        Example(path: "Packs/faces/01-smile.webp", width: 64, height: 64),
        Example(path: "Packs/weather/03-rain.png", width: 64, height: 64),
        Example(path: "Images/photo.jpg", width: 36, height: 64),
        Example(path: "Images/spin.webp", width: 64, height: 38, frames: 6),
        Example(path: "Images/spin.gif", width: 64, height: 38, frames: 6),
        // Of an animated PNG only the first picture is decoded.
        Example(path: "Images/spin.apng", width: 64, height: 38),
        Example(path: "Images/bars-vp9.webm", width: 64, height: 43, frames: 6),
        Example(path: "Images/bars-vp8.webm", width: 64, height: 43, frames: 6),
        Example(path: "Images/bars-10bit.webm", width: 64, height: 43, frames: 6),
        // Of 60 frames a second, every second one.
        Example(path: "Images/bars-odd.webm", width: 64, height: 42, frames: 4),
    ]

    @Test(arguments: examples)
    func `a thumbnail is a still WebP that fits into its size and keeps the proportions`(example: Example) throws {
        let image = try TestImages.file(TestImages.read(example.path))
        let picture = try TestImages.service().draw(.thumbnail(pixels: 64, isAnimated: false), of: image)
        #expect(picture.facts.format == .webp && picture.facts.frames == 1)
        #expect((picture.facts.width, picture.facts.height) == (example.width, example.height))
    }

    @Test(arguments: examples)
    func `an animated thumbnail has the frames of its image`(example: Example) throws {
        let image = try TestImages.file(TestImages.read(example.path))
        let picture = try TestImages.service().draw(.thumbnail(pixels: 64, isAnimated: true), of: image)
        #expect(picture.facts.format == .webp && picture.facts.frames == example.frames)
        #expect((picture.facts.width, picture.facts.height) == (example.width, example.height))
    }

    @Test func `an image that is smaller than the thumbnail keeps its size`() throws {
        let image = try TestImages.file(TestImages.read("Images/photo.jpg"))
        let picture = try TestImages.service().draw(.thumbnail(pixels: 256, isAnimated: false), of: image)
        #expect((picture.facts.width, picture.facts.height) == (90, 160))
    }

    @Test func `a thumbnail does not say what its image says besides the pixels`() throws {
        let author = Array("the author of the photo".utf8)
        let image = try TestImages.read("Images/described.jpg")
        #expect(image.firstRange(of: author) != nil)
        let picture = try TestImages.service().draw(
            .thumbnail(pixels: 64, isAnimated: false), of: TestImages.file(image))
        #expect(picture.bytes.firstRange(of: author) == nil)
    }

    @Test func `a contact sheet is a PNG with a cell for each image, and for each that is missing`() throws {
        let paths = ["Packs/faces/01-smile.webp", "Images/photo.jpg", "Packs/weather/03-rain.png"]
        var bytes: [UInt8] = []
        var ranges: [Range<Int>?] = []
        for path in paths {
            let image = try TestImages.read(path)
            ranges.append(bytes.count..<bytes.count + image.count)
            bytes += image
        }
        ranges.append(nil)
        let sheet = try TestImages.service().draw(
            .contactSheet(images: ranges + ranges, pixels: 32, columns: 3), of: TestImages.file(bytes))
        // Three columns and three rows of 32 pixels, with margins of 2 pixels.
        #expect(sheet.facts.format == .png && (sheet.facts.width, sheet.facts.height) == (104, 104))
    }

    @Test func `a TGS animation has a still and an animated thumbnail`() throws {
        let service = try TestImages.service()
        let animation = try TestImages.file(AnimationForge.disc(from: 100))
        let still = try service.draw(.thumbnail(pixels: 64, isAnimated: false), of: animation)
        #expect([still.facts.width, still.facts.height, still.facts.frames] == [64, 64, 1])
        let moving = try service.draw(.thumbnail(pixels: 64, isAnimated: true), of: animation)
        // Two seconds, of which 20 frames each are drawn.
        #expect([moving.facts.width, moving.facts.height, moving.facts.frames] == [64, 64, 40])
    }

    @Test(arguments: [
        ("bars-vp9", Array(repeating: 100, count: 6)), ("bars-709", [33, 34, 33, 33, 34, 33]),
        ("bars-odd", [33, 34, 33, 34]), ("late", [200, 100, 100, 100, 100]),
    ])
    func `an animated thumbnail of a video has the times of its frames`(name: String, times: [Int]) throws {
        let video = try TestImages.file(TestImages.read("Images/\(name).webm"))
        let picture = try TestImages.service().draw(.thumbnail(pixels: 128, isAnimated: true), of: video)
        var found: [Int] = []
        var rest = picture.bytes[...]
        // The time of a frame is a number of three bytes after its place and size.
        while let chunk = rest.firstRange(of: Array("ANMF".utf8)) {
            let time = rest[(chunk.upperBound + 16)..<(chunk.upperBound + 19)]
            found.append(time.reversed().reduce(0) { $0 << 8 | Int($1) })
            rest = rest[chunk.upperBound...]
        }
        #expect(found == times)
    }

    @Test func `a video that begins with nothing shows its middle`() throws {
        let service = try TestImages.service()
        func still(_ name: String) throws -> [UInt8] {
            let video = try TestImages.file(TestImages.read("Images/\(name).webm"))
            return try service.draw(.thumbnail(pixels: 128, isAnimated: false), of: video).bytes
        }
        let (first, late) = (try still("bars-vp9"), try still("late"))
        // A green bar at another place makes little difference; an empty picture has a few bytes.
        #expect(late.count > first.count / 2 && late != first, "\(late.count) and \(first.count) bytes")
    }

    @Test func `a TGS animation that begins with nothing shows its middle`() throws {
        let service = try TestImages.service()
        let task = PictureTask.thumbnail(pixels: 64, isAnimated: false)
        let middle = try service.draw(task, of: TestImages.file(AnimationForge.disc(from: 0)))
        let none = try service.draw(task, of: TestImages.file(AnimationForge.tgs(layers: "[{}]")))
        #expect(middle.bytes.count > 2 * none.bytes.count)
    }

    // MARK: Hostile images

    @Test func `an image that is far larger than its file is drawn within the limits`() throws {
        let bomb = try TestImages.file(TestImages.read("Images/wide-bomb.png"))
        let picture = try TestImages.service().draw(.thumbnail(pixels: 64, isAnimated: false), of: bomb)
        #expect((picture.facts.width, picture.facts.height) == (64, 64))
    }

    @Test(arguments: [
        [], Array("no image at all".utf8), ImageForge.png(30_000, 30_000), ImageForge.png(20, 20),
        ImageForge.apng(60, 60), ImageForge.jpeg(90, 90), ImageForge.vp8(8, 8),
        ImageForge.animatedWebP(50, 50), ImageForge.svg(),
        AnimationForge.webm(), AnimationForge.gzip(Array("{".utf8)), AnimationForge.tgs(layers: "[]"),
        AnimationForge.tgs(#""assets":[{"p":"/etc/passwd"}],"#), Array("%PDF-1.4\n".utf8),
        [0x49, 0x49, 0x2A, 0x00, 0x08, 0x00, 0x00, 0x00],
    ])
    func `a file that can't be decoded, or must not be, has no thumbnail`(bytes: [UInt8]) throws {
        let service = try TestImages.service()
        for isAnimated in [false, true] {
            let error = try #require(throws: StoreError.self) {
                try service.draw(.thumbnail(pixels: 64, isAnimated: isAnimated), of: TestImages.file(bytes))
            }
            #expect(error.code == .thumbnailFailed)
        }
        // The next image is not affected.
        let image = try TestImages.file(TestImages.read("Images/photo.jpg"))
        #expect(try service.draw(.thumbnail(pixels: 64, isAnimated: false), of: image).facts.height == 64)
    }

    @Test(arguments: [("av1", "V_AV1"), ("sound", "tracks")])
    func `a WebM file without a video in VP8 or VP9 has no thumbnail, and the reason is said`(
        name: String, reason: String
    ) throws {
        let file = try TestImages.file(TestImages.read("Images/\(name).webm"))
        let error = try #require(throws: StoreError.self) {
            try TestImages.service().draw(.thumbnail(pixels: 64, isAnimated: false), of: file)
        }
        #expect(error.code == .thumbnailFailed && error.message.contains(reason), "\(error.message)")
    }

    @Test(arguments: examples)
    func `a truncated image has no thumbnail`(example: Example) throws {
        let bytes = try TestImages.read(example.path)
        let service = try TestImages.service()
        for part in [20, bytes.count / 2, bytes.count - 9] {
            let error = try #require(throws: StoreError.self) {
                try service.draw(
                    .thumbnail(pixels: 64, isAnimated: true), of: TestImages.file(Array(bytes.prefix(part))))
            }
            #expect(error.code == .thumbnailFailed)
        }
    }

    @Test func `damaged pixels give no other result than a checked thumbnail or an error`() throws {
        let service = try TestImages.service()
        var random = SeededGenerator(seed: 16)
        for example in Self.examples {
            let bytes = try TestImages.read(example.path)
            for _ in 0..<12 {
                var damaged = bytes
                for _ in 0..<8 {
                    damaged[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                do {
                    let picture = try service.draw(
                        .thumbnail(pixels: 64, isAnimated: true), of: TestImages.file(damaged))
                    #expect(max(picture.facts.width, picture.facts.height) <= 64)
                } catch let error as StoreError {
                    #expect(error.code == .thumbnailFailed, "\(error.message)")
                }
            }
        }
    }

    @Test func `a process that exceeds its memory ends, and its image has no thumbnail`() throws {
        var limits = WorkerLimits()
        limits.memory = 24 << 20
        let error = try #require(throws: StoreError.self) {
            try TestImages.service(limits).draw(
                .thumbnail(pixels: 64, isAnimated: true), of: TestImages.file(TestImages.read("Images/spin.webp")))
        }
        #expect(error.code == .thumbnailFailed)
    }

    @Test func `without the program there are no thumbnails, and the reason is said`() throws {
        let service = WorkerService(
            WorkerService.Settings(), name: WorkerService.pictureProgramName, program: nil)
        let error = try #require(throws: StoreError.self) {
            try service.draw(.thumbnail(pixels: 64, isAnimated: false), of: TestImages.file([]))
        }
        #expect(error.code == .thumbnailUnavailable)
        #expect(error.message.contains("there is no program 'store-thumbnailer'"))
    }

    @Test func `the process that decodes images is confined`() throws {
        let availability = try TestImages.service().availability
        #expect(availability.obstacle == nil)
        #expect(availability.inEffect.contains(.systemCalls) && availability.inEffect.contains(.fileSystem))
    }
}
