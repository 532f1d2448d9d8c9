import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreArchives

/// How an entry is inflated: in one call or in chunks.
///
/// The same rules apply to both.
enum Way: CaseIterable {
    case whole, inPieces
    var border: Int { self == .whole ? 1 << 20 : 0 }
}

@Suite struct InflatingTests {
    /// A text of 80 KB, which zlib compresses to several blocks with dynamic Huffman codes.
    private static let plain: [UInt8] = {
        var random = SeededGenerator(seed: 3)
        let words = (0..<300).map { _ in
            (0..<Int.random(in: 2...9, using: &random)).map { _ in UInt8.random(in: 97...122, using: &random) }
        }
        return (0..<12_000).flatMap { _ in words.randomElement(using: &random)! + [32] }
    }()

    private static let forge = ZipForge().file("a", plain, deflated: true)

    /// Returns the text as the project's writer deflates it.
    private func packed() throws -> [UInt8] {
        let scratch = try Scratch()
        _ = try scratch.file(InflatingTests.plain, as: "a")
        let archive = try ArchiveWriter(modified: Date(timeIntervalSince1970: 0)).write(
            scratch.folder, into: Scratch().file([]))
        let entry = archive.entries[0]
        #expect(entry.method == .deflate)
        return try archive.file.read(count: entry.compressedSize, at: entry.offset)
    }

    /// Returns an archive of one entry with this stream and a declared size.
    private func forge(_ stream: [UInt8], size: Int = InflatingTests.plain.count) -> ZipForge {
        InflatingTests.forge.with { forge in
            forge.entries[0].data = stream
            forge.entries[0].both { ($0.compressedSize, $0.size) = (UInt32(stream.count), UInt32(size)) }
            if size < InflatingTests.plain.count {
                let sum = ZipForge.crc32(Array(InflatingTests.plain.prefix(size)))
                forge.entries[0].both { $0.crc32 = sum }
            }
        }
    }

    private func verdict(_ forge: ZipForge, _ way: Way) throws -> String? {
        let scratch = try Scratch()
        let target = try scratch.folder.createDirectory("target")
        do {
            _ = try Unpacker(threads: 1, smallEntrySize: way.border).unpack(
                scratch.file(forge.build()), into: target, limits: ArchiveLimits())
            #expect(Array(try target.read("a")) == InflatingTests.plain)
            return nil
        } catch let error as StoreError {
            #expect(try target.status(of: "a")?.size ?? 0 <= forge.entries[0].central.size)
            return error.code.rawValue
        }
    }

    @Test(arguments: Way.allCases)
    func `a stream that ends with its entry is accepted`(way: Way) throws {
        #expect(try verdict(forge(packed()), way) == nil)
    }

    @Test(arguments: Way.allCases)
    func `a truncated stream is refused`(way: Way) throws {
        let stream = try packed()
        for cut in [1, 2, 100, stream.count / 2, stream.count - 1, stream.count] {
            // The missing bits may decode to more bytes than the entry declares.
            let word = try verdict(forge(stream.dropLast(cut)), way)
            #expect(["archive.bad-data", "archive.wrong-size"].contains(word), "\(cut) bytes are missing")
        }
    }

    @Test(arguments: Way.allCases)
    func `bytes after the end of a stream are refused`(way: Way) throws {
        let stream = try packed()
        for count in [1, 4, 100_000, 600_000] {
            let rest = [UInt8](repeating: 0x50, count: count)
            #expect(try verdict(forge(stream + rest), way) == "archive.data-between", "\(count) bytes")
        }
    }

    @Test(arguments: Way.allCases)
    func `a second stream after the first is refused`(way: Way) throws {
        let stream = try packed()
        #expect(try verdict(forge(stream + stream), way) == "archive.data-between")
        #expect(try verdict(forge([3, 0] + stream), way) == "archive.wrong-size")
    }

    @Test(arguments: Way.allCases)
    func `a stream with more or fewer bytes than declared is refused`(way: Way) throws {
        let (stream, size) = (try packed(), InflatingTests.plain.count)
        for wrong in [1, size - 1, size + 1, size + 300_000] {
            #expect(try verdict(forge(stream, size: wrong), way) == "archive.wrong-size", "\(wrong) bytes")
        }
    }

    @Test func `both ways of inflating give the same result for a damaged stream`() throws {
        let stream = try packed()
        var random = SeededGenerator(seed: 11)
        for _ in 0..<150 {
            var damaged = stream
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                // Most changes are at the start, which describes the Huffman codes.
                let end = Bool.random(using: &random) ? 80 : damaged.count
                damaged[Int.random(in: 0..<end, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            let verdicts = try Way.allCases.map { try verdict(forge(damaged), $0) }
            #expect((verdicts[0] == nil) == (verdicts[1] == nil), "\(verdicts)")
        }
    }

    @Test func `an entry is accepted whether it is larger or smaller than a chunk`() throws {
        let scratch = try Scratch()
        let big = [UInt8](repeating: 7, count: EntryReader.smallEntrySize + 1)
        let forge = ZipForge().file("big", big, deflated: true).file("stored", big).file("small", deflated: true)
        let (folder, report) = try scratch.unpack(forge.build())
        #expect(report.files.map(\.size) == [big.count, 7, big.count])
        #expect(try Scratch.contents(of: folder) == ["big": big, "stored": big, "small": text("content")])
        for name in ["big", "stored"] {
            let damaged = ZipForge().file(name, big, deflated: name == "big") { $0.both { $0.crc32 ^= 1 } }
            #expect(try StoreArchivesTests.verdict(damaged) == "archive.wrong-checksum")
        }
    }

    @Test func `a small archive is read at once, and what becomes of its file makes no difference`() throws {
        let scratch = try Scratch()
        // Names, headers and end record are 98 bytes here.
        for (size, isRead) in [(0, true), ((256 << 10) - 100, true), (256 << 10, false)] {
            let content = [UInt8](repeating: 7, count: size)
            let file = try scratch.file(ZipForge().file("a", content).build())
            let archive = try Archive(file)
            try file.truncate(to: 0)
            var found: [UInt8]?
            do { found = try archive.contents(of: "a", limit: size) } catch {}
            #expect(found == (isRead ? content : nil), "\(size)")
        }
    }

    @Test func `an archive that shrinks while it is read is refused`() throws {
        // A smaller one is read at once.
        let content = [UInt8](repeating: 7, count: 300 << 10)
        for way in Way.allCases {
            let scratch = try Scratch()
            let file = try scratch.file(ZipForge().file("a", content).build())
            let archive = try Archive(file)
            try file.truncate(to: 1_000)
            let error = #expect(throws: StoreError.self) {
                try EntryReader(archive, smallEntrySize: way.border).read(0) { _ in }
            }
            #expect(error?.code == .archiveWrongSize)
        }
    }
}
