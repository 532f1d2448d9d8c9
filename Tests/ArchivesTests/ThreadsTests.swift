import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreArchives

@Suite struct ThreadsTests {
    /// Returns an archive with files of all sizes around the limit up to which they are unpacked in one piece.
    private func randomForge(_ random: inout SeededGenerator, border: Int) -> ZipForge {
        (0..<Int.random(in: 1...80, using: &random)).reduce(ZipForge()) { forge, number in
            let count = [0, 1, border - 1, border, border + 1, border * 9].randomElement(using: &random)!
            let content = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let folder = ["", "a/", "b/", "a/c/"].randomElement(using: &random)!
            let isDeflated = Bool.random(using: &random)
            return forge.file("\(folder)\(number)", content, deflated: isDeflated) {
                if isDeflated, number % 7 == 0 { $0.stream() }
            }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `several threads give the same files and the same report as one`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let border = 3_000
        let scratch = try Scratch()
        let file = try scratch.file(randomForge(&random, border: border).build())
        var expected: (UnpackReport, [String: [UInt8]])?
        for threads in [1, 2, 3, 16] {
            let target = try scratch.folder.createDirectory("\(threads)")
            let report = try Unpacker(threads: threads, smallEntrySize: border).unpack(
                file, into: target, limits: ArchiveLimits())
            let contents = try Scratch.contents(of: target)
            if let expected {
                #expect(report == expected.0)
                #expect(contents == expected.1)
            } else {
                let paths = report.files.map(\.path)
                #expect(paths == paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
                for file in report.files { #expect(file.sha256 == SHA256Digest(of: contents[file.path]!)) }
                expected = (report, contents)
            }
        }
    }

    @Test func `the error names the first damaged entry, whichever thread finds one first`() throws {
        let forge = (0..<200).reduce(ZipForge()) { forge, number in
            forge.file("d/\(number)", deflated: true) { entry in
                if number == 57 { entry.both { $0.crc32 ^= 1 } }
                if number > 57, number % 3 == 0 { entry.data[0] = 7 }
            }
        }
        let scratch = try Scratch()
        let file = try scratch.file(forge.build())
        for run in 0..<20 {
            let target = try scratch.folder.createDirectory("\(run)")
            let error = #expect(throws: StoreError.self) {
                try Unpacker(threads: 8).unpack(file, into: target, limits: ArchiveLimits())
            }
            #expect(error?.code == .archiveWrongChecksum)
            #expect(error?.message.contains("'d/57'") == true)
        }
    }

    @Test func `all threads have stopped when the error is thrown`() throws {
        let forge = (0..<300).reduce(ZipForge()) { forge, number in
            forge.file("d/\(number)", deflated: true) { if number == 20 { $0.data[0] = 7 } }
        }
        let scratch = try Scratch()
        let file = try scratch.file(forge.build())
        for _ in 0..<20 {
            let target = try scratch.folder.createDirectory("target")
            #expect(throws: StoreError.self) {
                try Unpacker(threads: 8).unpack(file, into: target, limits: ArchiveLimits())
            }
            // A thread that continued would find its directory missing, or make the removal fail.
            try scratch.folder.removeTree("target")
            #expect(try scratch.folder.status(of: "target") == nil)
        }
    }

    @Test func `several threads are used only if that helps`() throws {
        let small = try Scratch().archive((0..<20).reduce(ZipForge()) { $0.file("\($1)") })
        #expect(small.usefulThreads == 1)
        let many = try Scratch().archive((0..<2_000).reduce(ZipForge()) { $0.file("\($1)") })
        #expect((1...4).contains(many.usefulThreads))
        #expect(many.usefulThreads == min(4, ParallelWork.processors))
    }
}
