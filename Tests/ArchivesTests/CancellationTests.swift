import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreArchives

@Suite struct CancellationTests {
    private let scratch: Scratch
    private let target: Directory

    init() throws {
        scratch = try Scratch()
        target = try scratch.folder.createDirectory("target")
    }

    /// Returns the files that exist after the check with this number cancelled the unpacking.
    private func unpack(_ archive: OpenFile, cancelledAfter checks: Int) throws -> [String: [UInt8]] {
        #expect(throws: CancellationError.self) {
            try Unpacker(threads: 1).unpack(
                archive, into: target, limits: ArchiveLimits(),
                cancellation: CancellationFlag(cancelledAfter: checks))
        }
        return try Scratch.contents(of: target)
    }

    @Test func `a cancelled unpacking creates no files after the flag is set`() throws {
        let archive = try scratch.file(ZipForge().file("a", text("one")).file("b/c", text("two")).build())
        let flag = CancellationFlag()
        flag.cancel()
        #expect(throws: CancellationError.self) {
            try Unpacker().unpack(archive, into: target, limits: ArchiveLimits(), cancellation: flag)
        }
        #expect(try target.entries().isEmpty)
    }

    @Test(arguments: [0, 1, 7, 20])
    func `a small entry has one cancellation check, and none after the flag is set`(files: Int) throws {
        let count = 40
        var forge = ZipForge()
        for number in 0..<count { forge = forge.file("\(number)", [1]) }
        let archive = try scratch.file(forge.build())
        // Reading the central directory and the local headers comes first, with one check for each.
        let found = try unpack(archive, cancelledAfter: 2 * count + files)
        #expect(found.count == files)
        #expect(found.values.allSatisfy { $0 == [1] })
    }

    @Test(arguments: [false, true], [0, 1, 5])
    func `unpacking a large entry ends at most one mebibyte after the flag is set`(deflated: Bool, pieces: Int) throws {
        let bytes = OriginBytes.random(12 << 20)
        let archive = try scratch.file(ZipForge().file("large", bytes, deflated: deflated).build())
        let found = try unpack(archive, cancelledAfter: 3 + pieces)
        let written = try #require(found["large"]).count
        // A deflated entry may be passed on in smaller pieces.
        #expect(deflated ? written <= pieces << 20 : written == pieces << 20)
        #expect(pieces == 0 || written > 0)
    }

    @Test func `a deflate stream of empty blocks is read no further after the flag is set`() throws {
        let forge = ZipForge().file("large", [1], deflated: true) { entry in
            // A stored block of no bytes (RFC 1951, 3.2.4), many times.
            let blocks = Array(repeating: [0, 0, 0, 0xff, 0xff] as [UInt8], count: 1 << 20).joined()
            entry.data = Array(blocks) + entry.data
            let size = UInt32(entry.data.count)
            entry.both { $0.compressedSize = size }
        }
        let archive = try scratch.file(forge.build())
        // After three checks before the contents, there is one for each mebibyte of the stream.
        #expect(try unpack(archive, cancelledAfter: 5) == ["large": []])
        let entries = try Archive(archive).entryTable().entries.map { SelectedEntry(path: "selected", entry: $0) }
        #expect(throws: CancellationError.self) {
            // The stream has 81 pieces, all of which are verified before the first is inflated.
            try Unpacker().unpack(
                entries, of: archive, into: target, cancellation: CancellationFlag(cancelledAfter: 1 + 81 + 40))
        }
        #expect(try target.read("selected").isEmpty)
    }

    @Test func `unpacking on several threads stops at a cancellation`() throws {
        var forge = ZipForge()
        for number in 0..<200 { forge = forge.file("\(number)", [1]) }
        let archive = try scratch.file(forge.build())
        #expect(throws: CancellationError.self) {
            try Unpacker(threads: 4).unpack(
                archive, into: target, limits: ArchiveLimits(), cancellation: CancellationFlag(cancelledAfter: 430))
        }
        #expect(try Scratch.contents(of: target).count <= 30)
    }

    @Test(arguments: [0, 2])
    func `extracting single files stops at a cancellation`(files: Int) throws {
        let forge = (0..<5).reduce(ZipForge()) { $0.file("\($1)", [1, 2, 3]) }
        let archive = try scratch.file(forge.build())
        let parts = try Archive(archive).entryTable().entries.map { SelectedEntry(path: $0.path, entry: $0) }
        #expect(throws: CancellationError.self) {
            // Each file has one check before it, and one each to verify and to unpack its only chunk.
            try Unpacker().unpack(
                parts, of: archive, into: target, cancellation: CancellationFlag(cancelledAfter: 3 * files))
        }
        let found = try Scratch.contents(of: target)
        #expect(found.values.filter { $0 == [1, 2, 3] }.count == files)
        #expect(found.count <= files + 1)
    }
}
