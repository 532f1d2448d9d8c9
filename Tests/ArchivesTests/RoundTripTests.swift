import FoundationEssentials
import Glibc
import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct RoundTripTests {
    let writer = ArchiveWriter(modified: Date(timeIntervalSince1970: 1_760_000_000))

    /// Writes files with random names and contents of many kinds to a directory.
    static func fill(_ folder: Directory, _ random: inout SeededGenerator) throws {
        let words = ["a", "sticker.png", "info.json", "ä", "日本", "x y", ".hidden", "😀.webp", "B-", "b/"]
        var used: Set<String> = []
        for _ in 0..<Int.random(in: 1...25, using: &random) {
            let depth = Int.random(in: 0...3, using: &random)
            let number = Int.random(in: 0...3, using: &random)
            let folders = (0..<depth).map { _ in "d\(Int.random(in: 0...2, using: &random))" }
            let word = words.randomElement(using: &random)!
            let path = (folders + ["\(number)" + (word == "b/" ? "b" : word)]).joined(separator: "/")
            guard used.insert(path).inserted else { continue }
            let count = [0, 1, 10, 8_191, 8_192, 100_000, 300_000].randomElement(using: &random)!
            let isNoise = Bool.random(using: &random)
            let content = (0..<count).map {
                isNoise ? UInt8.random(in: 0...255, using: &random) : UInt8($0 / 1_000 & 255)
            }
            let parent = depth == 0 ? folder : try folder.createDirectory(folders.joined(separator: "/"))
            let file = try parent.createFile(String(path.split(separator: "/").last!))
            try content.withUnsafeBytes { try file.write($0) }
        }
    }

    @Test func `directories up to the limit of depth are packed, deeper ones only if they are hidden`() throws {
        var writer = writer
        writer.limits.depth = 3
        let scratch = try Scratch()
        let source = try scratch.folder.createDirectory("source")
        try source.createDirectory("a/b").createFile("1.txt").write(Data("one".utf8))
        try source.createDirectory("a/.git/c/d").createFile("2.txt").write(Data("two".utf8))
        let archive = try writer.write(source, into: scratch.folder.createFile("first.zip"))
        #expect(archive.entries.map(\.path) == ["a/b/1.txt"] && archive.leftOut == ["a/.git"])
        try source.createDirectory("a/b/c").createFile("3.txt").write(Data("three".utf8))
        let second = try scratch.folder.createFile("second.zip")
        #expect {
            _ = try writer.write(source, into: second)
        } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.code == .archiveTooDeep && error.message.contains("a/b/c")
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `packed and unpacked files are the same, and packing them again gives the same bytes`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scratch = try Scratch()
        let source = try scratch.folder.createDirectory("source")
        try RoundTripTests.fill(source, &random)
        let expected = try Scratch.contents(of: source)

        let first = try scratch.folder.createFile("first.zip")
        let archive = try writer.write(source, into: first)
        let second = try scratch.folder.createFile("second.zip")
        _ = try writer.write(source, into: second)
        #expect(try first.readAll(limit: 1 << 30) == second.readAll(limit: 1 << 30))

        let paths = archive.entries.map(\.path)
        #expect(paths == paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(Set(paths) == Set(expected.keys))
        for entry in archive.entries where entry.method == .deflate { #expect(entry.compressedSize < entry.size) }
        let table = try archive.entryTable()
        for entry in table.entries { #expect(entry.sha256 == SHA256Digest(of: expected[entry.path]!)) }

        let target = try scratch.folder.createDirectory("target")
        let report = try Unpacker().unpack(first, into: target, limits: ArchiveLimits())
        let root = archive.root.map { $0 + "/" } ?? ""
        let found = try Scratch.contents(of: target)
        #expect(
            found == Dictionary(uniqueKeysWithValues: expected.map { (String($0.key.dropFirst(root.count)), $0.value) })
        )
        #expect(report.files.map(\.path) == found.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test func `compressed formats are stored and text is deflated`() throws {
        let scratch = try Scratch()
        let zeros = [UInt8](repeating: 0, count: 1_000)
        for name in ["a.png", "b.WEBP", "c.txt", "d"] { _ = try scratch.file(zeros, as: name) }
        let archive = try writer.write(scratch.folder, into: Scratch().file([]))
        #expect(archive.entries.map(\.method) == [.stored, .stored, .deflate, .deflate])
    }

    @Test func `a receipt is left out, and one in a subdirectory is named like any hidden file`() throws {
        let scratch = try Scratch()
        _ = try scratch.file([1], as: ".receipt.json")
        _ = try scratch.file([1], as: "a")
        _ = try scratch.folder.createDirectory("d").createFile(".receipt.json")
        let archive = try writer.write(scratch.folder, into: Scratch().file([]))
        #expect(archive.entries.map(\.path) == ["a"])
        #expect(archive.leftOut == ["d/.receipt.json"])
    }

    @Test func `owners, modes and times of the files do not affect the archive`() throws {
        var archives: [Data] = []
        for mode: mode_t in [0o600, 0o755] {
            let scratch = try Scratch()
            let file = try scratch.file(text("content"), as: "a")
            #expect(fchmod(file.descriptor, mode) == 0)
            let times = [timespec(tv_sec: Int(mode), tv_nsec: 0), timespec(tv_sec: Int(mode) * 9, tv_nsec: 0)]
            #expect(futimens(file.descriptor, times) == 0)
            let target = try Scratch().file([])
            _ = try writer.write(scratch.folder, into: target)
            archives.append(try target.readAll(limit: 1 << 20))
        }
        #expect(archives[0] == archives[1])
    }

    @Test func `the time zone and dates before 1980 do not affect the archive`() throws {
        let scratch = try Scratch()
        _ = try scratch.file(text("content"), as: "a")
        let dates = [(0, 1 << 5 | 1), (1_759_968_000, 45 << 9 | 10 << 5 | 9), (99_999_999_999, 127 << 9)]
        for (seconds, expected) in dates {
            let target = try Scratch().file([])
            _ = try ArchiveWriter(modified: Date(timeIntervalSince1970: Double(seconds))).write(
                scratch.folder, into: target)
            let header = try target.read(count: 30, at: 0)
            let date = Int(header[12]) | Int(header[13]) << 8
            #expect(header[10...11] == [0, 12 << 3])
            #expect(seconds > 4_354_819_200 ? date >> 9 == 127 : date == expected)
        }
    }

    @Test func `a full disk is reported as an error of space`() throws {
        let scratch = try Scratch()
        _ = try scratch.file(text("content"), as: "a")
        let full = OpenFile(descriptor: open("/dev/full", O_RDWR | O_CLOEXEC), path: "/dev/full")
        let error = #expect(throws: StoreError.self) { try writer.write(scratch.folder, into: full) }
        #expect(error?.code == .noSpace)
    }

    @Test func `links, special files and an empty directory are refused by name`() throws {
        let refused = { (fill: (Directory) throws -> Void) throws -> String? in
            let scratch = try Scratch()
            try fill(scratch.folder)
            do {
                _ = try writer.write(scratch.folder, into: Scratch().file([]))
                return nil
            } catch let error as StoreError {
                return error.code.rawValue
            }
        }
        #expect(try refused { _ in } == "archive.nothing-to-pack")
        #expect(try refused { _ = try $0.createDirectory("d") } == "archive.nothing-to-pack")
        #expect(try refused { _ = symlinkat("/etc/passwd", $0.descriptor, "x") } == "archive.link")
        #expect(try refused { _ = mkfifoat($0.descriptor, "x", 0o600) } == "archive.special-file")
        #expect(try refused { _ = try $0.createFile("a\\b") } == "archive.backslash")
        // 'café' in ISO 8859-1.
        let latin: [UInt8] = [0x63, 0x61, 0x66, 0xe9]
        #expect(try refused { try $0.putFile(named: latin) } == "archive.name-not-utf8")
        #expect(
            try refused { _ = mkdirat($0.descriptor, latin.map(CChar.init(bitPattern:)) + [0], 0o700) }
                == "archive.name-not-utf8")
        #expect(
            try refused {
                _ = try $0.createFile("a")
                _ = try $0.createFile("A")
            } == "archive.name-collision")
    }
}
