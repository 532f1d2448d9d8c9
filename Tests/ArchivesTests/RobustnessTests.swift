import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct RobustnessTests {
    static let sample = ZipForge().folder("p").file("p/a.png", text("sticker sticker sticker"), deflated: true)
        .file("p/ä", text("stored")) { $0.both { $0.extra = ZipForge.extra(0x5455, [1, 0, 0, 0, 0]) } }
        .file("p/s", text("streamed"), deflated: true) { $0.stream() }
        .with {
            $0.zip64 = { _ in }
            $0.comment = text("comment")
        }

    /// A changed byte can't change both headers, so an accepted archive contains the same files.
    @Test func `an archive with one changed byte has the same files or is refused`() throws {
        let whole = RobustnessTests.sample.build()
        let scratch = try Scratch()
        let expected = try Scratch.contents(of: scratch.unpack(whole).0)
        var random = SeededGenerator(seed: 20_26)
        for place in whole.indices {
            for value in [whole[place] ^ 1 << UInt8.random(in: 0..<8, using: &random), 0, 0xff] {
                var bytes = whole
                bytes[place] = value
                let found: [String: [UInt8]]
                do { found = try Scratch.contents(of: scratch.unpack(bytes).0) } catch let error as StoreError
                    where error.isArchiveRejection
                { continue }
                #expect(found == expected, "byte \(place) is \(value)")
            }
        }
    }

    @Test func `random combinations of parts are refused or accepted as the limits permit`() throws {
        let pieces = RobustnessTests.sample.build()
        for seed in 0..<400 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var bytes = pieces
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0..<60, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.removeSubrange(start..<end)
                case 1:
                    bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0...bytes.count, using: &random))
                case 2: for place in start..<end { bytes[place] = .random(in: 0...255, using: &random) }
                default: for place in start..<end { bytes[place] = 0xff }
                }
                if bytes.isEmpty { bytes = [0] }
            }
            _ = try verdict(bytes)
        }
    }

    @Test func `random bytes before an end record are refused`() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let junk = (0..<Int.random(in: 1..<300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let offset = Int.random(in: 0...junk.count, using: &random)
            let forge = ZipForge().with {
                $0.prefix = junk
                $0.changeEnd = { end in
                    (end.count, end.countOfDisk) = (1, 1)
                    (end.offset, end.size) = (UInt32(offset), UInt32(junk.count - offset))
                }
            }
            #expect(try verdict(forge) != nil, "seed \(seed)")
        }
    }
}
