import Glibc
import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite("What is in an archive, and how much")
struct ContentTests {
    // MARK: Contents

    @Test func `a wrong checksum is refused`() throws {
        for deflated in [false, true] {
            let forge = ZipForge().file("a", deflated: deflated) { $0.both { $0.crc32 ^= 1 } }
            #expect(try verdict(forge) == "archive.wrong-checksum")
        }
    }

    @Test func `more bytes than declared are refused, and are not written`() throws {
        let content = [UInt8](repeating: 7, count: 100_000)
        let forge = ZipForge().file("a", content, deflated: true) {
            $0.both { ($0.size, $0.crc32) = (5, ZipForge.crc32(Array(content.prefix(5)))) }
        }
        let scratch = try Scratch()
        let target = try scratch.folder.createDirectory("target")
        #expect(throws: StoreError.self) {
            try Unpacker().unpack(scratch.file(forge.build()), into: target, limits: ArchiveLimits())
        }
        #expect(try (target.status(of: "a")?.size ?? 0) <= 5)
        #expect(try verdict(forge) == "archive.wrong-size")
    }

    @Test func `fewer bytes than declared are refused`() throws {
        for size: UInt32 in [8, 1_000_000] {
            let forge = ZipForge().file("a", deflated: true) { $0.both { $0.size = size } }
            #expect(try verdict(forge) == "archive.wrong-size")
        }
        let empty = ZipForge().file("a", [], deflated: true) { $0.both { $0.size = 1 } }
        #expect(try verdict(empty) == "archive.wrong-size")
    }

    @Test func `two sizes of a stored entry are refused`() throws {
        #expect(try verdict(ZipForge().file("a") { $0.both { $0.size = 6 } }) == "archive.wrong-size")
    }

    @Test func `contents of an empty entry are refused`() throws {
        let forge = ZipForge().file("a", deflated: true) { $0.both { ($0.size, $0.crc32) = (0, 0) } }
        #expect(try verdict(forge) == "archive.wrong-size")
    }

    @Test func `bytes after the end of what is inflated are refused`() throws {
        for count in [1, 10_000, 200_000] {
            let forge = ZipForge().file("a", deflated: true) {
                $0.data += [UInt8](repeating: 0, count: count)
                $0.both { $0.compressedSize += UInt32(count) }
            }
            #expect(try verdict(forge) == "archive.data-between")
        }
    }

    @Test func `data that can't be inflated are refused`() throws {
        let forge = ZipForge().file("a", deflated: true) { $0.data[0] = 7 }
        #expect(try verdict(forge) == "archive.bad-data")
    }

    // MARK: Limits

    @Test func `more entries than allowed are refused, by the count alone`() throws {
        let claim = ZipForge().with {
            $0.zip64 = { ($0.count, $0.countOfDisk) = (100_000, 100_000) }
            $0.changeEnd = { $0.refer() }
        }
        #expect(try verdict(claim) == "archive.too-many-entries")
        var limits = ArchiveLimits()
        limits.entries = 2
        let three = ZipForge().file("a").file("b").folder("c")
        #expect(try verdict(three, limits: limits) == "archive.too-many-entries")
        limits.entries = 3
        #expect(try verdict(three, limits: limits) == nil)
    }

    @Test func `a directory larger than allowed is refused`() throws {
        var limits = ArchiveLimits()
        limits.directorySize = 60
        #expect(try verdict(ZipForge().file("a").file("b"), limits: limits) == "archive.too-many-entries")
    }

    @Test func `an archive larger unpacked than allowed is refused`() throws {
        var limits = ArchiveLimits()
        limits.unpackedSize = 13
        #expect(try verdict(ZipForge().file("a").file("b"), limits: limits) == "archive.too-large")
        limits.unpackedSize = 14
        #expect(try verdict(ZipForge().file("a").file("b"), limits: limits) == nil)
    }

    @Test func `a small archive that claims gigabytes is refused`() throws {
        let bomb = (0..<5).reduce(ZipForge()) { forge, number in
            forge.file("\(number)", [UInt8](repeating: 0, count: 8_000), deflated: true) {
                $0.both { $0.size = 1_000_000_000 }
            }
        }
        #expect(bomb.build().count < 42_000)
        #expect(try verdict(bomb) == "archive.too-large")
        let wide = ZipForge().file("a", deflated: true) {
            $0.both {
                $0.size = .max
                $0.extra = ZipForge.zip64Extra(5 << 40)
            }
        }
        #expect(try verdict(wide) == "archive.too-large")
    }

    @Test func `an archive that grows more than allowed is refused, unless it is small`() throws {
        var limits = ArchiveLimits()
        (limits.ratio, limits.ratioFloor) = (10, 100_000)
        let claim = { (size: UInt32) in ZipForge().file("a", deflated: true) { $0.both { $0.size = size } } }
        #expect(try verdict(claim(100_001), limits: limits) == "archive.too-dense")
        #expect(try verdict(claim(100_000), limits: limits) == "archive.wrong-size")
    }

    @Test func `paths too deep or too long are refused`() throws {
        let part = String(repeating: "x", count: 255)
        #expect(try verdict(ZipForge().file(part)) == nil)
        #expect(try verdict(ZipForge().file(part + "x")) == "archive.name-too-long")
        // Bytes count, not letters.
        #expect(try verdict(ZipForge().file(String(repeating: "ä", count: 128))) == "archive.name-too-long")
        #expect(
            try verdict(ZipForge().file([part, part, part, part, "x"].joined(separator: "/")))
                == "archive.name-too-long")
        let deep = { String(repeating: "d/", count: $0 - 1) + "f" }
        #expect(try verdict(ZipForge().file(deep(16)).file("a")) == nil)
        #expect(try verdict(ZipForge().file(deep(17)).file("a")) == "archive.too-deep")
    }

    // MARK: What is unpacked

    @Test func `the report has each file of the pack with size and hash, in order`() throws {
        let forge = ZipForge().folder("p").file("p/b", text("bb"), deflated: true).file("p/a/z", []).file(
            "p/a-", text("x"))
        let scratch = try Scratch()
        let (folder, report) = try scratch.unpack(forge.build())
        #expect(
            report.files == [
                Receipt.File(path: "a-", size: 1, sha256: SHA256Digest(of: text("x"))),
                Receipt.File(path: "a/z", size: 0, sha256: SHA256Digest(of: [])),
                Receipt.File(path: "b", size: 2, sha256: SHA256Digest(of: text("bb"))),
            ])
        #expect(report.size == 3)
        #expect(try Scratch.contents(of: folder) == ["a-": text("x"), "a/z": [], "b": text("bb")])
    }

    @Test func `files are readable by all, and nothing of the archive's modes is kept`() throws {
        let forge = ZipForge().file("d/x") { $0.attributes = 0o106777 << 16 }.folder("e") {
            $0.attributes = 0o041777 << 16
        }
        let scratch = try Scratch()
        let (folder, _) = try scratch.unpack(forge.build())
        let mask = umask(0)
        umask(mask)
        for (path, mode) in [("d/x", 0o644), ("d", 0o755), ("e", 0o755)] as [(String, mode_t)] {
            var status = stat()
            #expect(fstatat(folder.descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0)
            #expect(status.st_mode & 0o7777 == mode & ~mask)
        }
    }

    @Test func `nothing is written through a link that waits in the folder`() throws {
        let scratch = try Scratch()
        let target = try scratch.folder.createDirectory("target")
        let outside = try scratch.folder.createDirectory("outside")
        #expect(symlinkat(outside.path, target.descriptor, "d") == 0)
        #expect(throws: FileError.self) {
            try Unpacker().unpack(
                scratch.file(ZipForge().file("d/x").file("a").build()), into: target, limits: ArchiveLimits())
        }
        #expect(try outside.entries().isEmpty)
    }

    @Test func `a file that is there already is not overwritten`() throws {
        let scratch = try Scratch()
        let target = try scratch.folder.createDirectory("target")
        _ = try target.createFile("a")
        #expect(throws: FileError.self) {
            try Unpacker().unpack(scratch.file(ZipForge().file("a").build()), into: target, limits: ArchiveLimits())
        }
        #expect(try target.read("a").isEmpty)
    }

    @Test func `the entry table says where each file's bytes are`() throws {
        let plain = text(String(repeating: "sticker ", count: 100))
        let bytes = ZipForge().folder("p").file("p/b", plain, deflated: true).file("p/a", text("aa")).build()
        let table = try Archive(Scratch().file(bytes)).entryTable()
        #expect(table.entries.map(\.path) == ["p/b", "p/a"])
        #expect(table.entries.map(\.method) == [.deflate, .stored])
        #expect(table.entries.map(\.size) == [plain.count, 2])
        #expect(table.entries.map(\.sha256) == [SHA256Digest(of: plain), SHA256Digest(of: text("aa"))])
        for entry in table.entries {
            let raw = Array(bytes[entry.offset..<(entry.offset + entry.compressedSize)])
            #expect(raw == (entry.method == .stored ? text("aa") : ZipForge.deflated(plain)))
        }
    }

    @Test func `the entry table is refused of damaged contents`() throws {
        let forge = ZipForge().file("a") { $0.data[0] ^= 1 }
        let archive = try Scratch().archive(forge)
        #expect(throws: StoreError.self) { try archive.entryTable() }
    }
}
