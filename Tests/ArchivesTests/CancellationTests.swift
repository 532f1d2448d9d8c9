import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreArchives

@Suite("Cancelled unpacking")
struct CancellationTests {
    private let scratch: Scratch
    private let target: Directory

    init() throws {
        scratch = try Scratch()
        target = try scratch.folder.createDirectory("target")
    }

    /// The files that are there after unpacking was cancelled by a check with this number.
    private func unpack(_ archive: OpenFile, cancelledAfter checks: Int) throws -> [String: [UInt8]] {
        #expect(throws: CancellationError.self) {
            try Unpacker(threads: 1).unpack(
                archive, into: target, limits: ArchiveLimits(),
                cancellation: CancellationFlag(cancelledAfter: checks))
        }
        return try Scratch.contents(of: target)
    }

    @Test func `nothing is made after the flag was set`() throws {
        let archive = try scratch.file(ZipForge().file("a", text("one")).file("b/c", text("two")).build())
        let flag = CancellationFlag()
        flag.cancel()
        #expect(throws: CancellationError.self) {
            try Unpacker().unpack(archive, into: target, limits: ArchiveLimits(), cancellation: flag)
        }
        #expect(try target.entries().isEmpty)
    }

    @Test(arguments: [0, 1, 7, 20])
    func `a small entry takes one check, so that none follows the flag`(files: Int) throws {
        let count = 40
        var forge = ZipForge()
        for number in 0..<count { forge = forge.file("\(number)", [1]) }
        let archive = try scratch.file(forge.build())
        // The directory and the entries' own headers are read first, with a check for each.
        let found = try unpack(archive, cancelledAfter: 2 * count + files)
        #expect(found.count == files)
        #expect(found.values.allSatisfy { $0 == [1] })
    }

    @Test(arguments: [false, true], [0, 1, 5])
    func `a large entry ends at most one mebibyte after the flag`(deflated: Bool, pieces: Int) throws {
        let bytes = OriginBytes.random(12 << 20)
        let archive = try scratch.file(ZipForge().file("large", bytes, deflated: deflated).build())
        let found = try unpack(archive, cancelledAfter: 3 + pieces)
        let written = try #require(found["large"]).count
        #expect(written <= pieces << 20)
        #expect(pieces == 0 || written > 0)
    }

    @Test func `several threads stop too`() throws {
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
    func `single files of an archive stop in the same way`(files: Int) throws {
        let forge = (0..<5).reduce(ZipForge()) { $0.file("\($1)", [1, 2, 3]) }
        let archive = try scratch.file(forge.build())
        let parts = try Archive(archive).entryTable().entries.map { SelectedEntry(path: $0.path, entry: $0) }
        #expect(throws: CancellationError.self) {
            // Each has one check before it, and one for its only piece.
            try Unpacker().unpack(
                parts, of: archive, into: target, cancellation: CancellationFlag(cancelledAfter: 2 * files))
        }
        let found = try Scratch.contents(of: target)
        #expect(found.values.filter { $0 == [1, 2, 3] }.count == files)
        #expect(found.count <= files + 1)
    }
}
