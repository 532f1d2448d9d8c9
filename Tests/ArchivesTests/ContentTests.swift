import Glibc
import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct ContentTests {
    // MARK: Contents

    @Test func `a wrong checksum is refused`() throws {
        for deflated in [false, true] {
            let forge = ZipForge().file("a", deflated: deflated) { $0.both { $0.crc32 ^= 1 } }
            #expect(try verdict(forge) == "archive.wrong-checksum")
        }
    }

    @Test func `data longer than its declared size is refused and not written`() throws {
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

    @Test func `data shorter than its declared size is refused`() throws {
        for size: UInt32 in [8, 1_000_000] {
            let forge = ZipForge().file("a", deflated: true) { $0.both { $0.size = size } }
            #expect(try verdict(forge) == "archive.wrong-size")
        }
        let empty = ZipForge().file("a", [], deflated: true) { $0.both { $0.size = 1 } }
        #expect(try verdict(empty) == "archive.wrong-size")
    }

    @Test func `a stored entry with two different sizes is refused`() throws {
        #expect(try verdict(ZipForge().file("a") { $0.both { $0.size = 6 } }) == "archive.wrong-size")
    }

    @Test func `an empty entry with data is refused`() throws {
        let forge = ZipForge().file("a", deflated: true) { $0.both { ($0.size, $0.crc32) = (0, 0) } }
        #expect(try verdict(forge) == "archive.wrong-size")
    }

    @Test func `bytes after the end of the deflate stream are refused`() throws {
        for count in [1, 10_000, 200_000] {
            let forge = ZipForge().file("a", deflated: true) {
                $0.data += [UInt8](repeating: 0, count: count)
                $0.both { $0.compressedSize += UInt32(count) }
            }
            #expect(try verdict(forge) == "archive.data-between")
        }
    }

    @Test func `a deflate stream that can't be decoded is refused`() throws {
        let forge = ZipForge().file("a", deflated: true) { $0.data[0] = 7 }
        #expect(try verdict(forge) == "archive.bad-data")
    }

    // MARK: Limits

    @Test func `an archive with too many entries is refused by their count alone`() throws {
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

    @Test func `a central directory over the size limit is refused`() throws {
        var limits = ArchiveLimits()
        limits.directorySize = 60
        #expect(try verdict(ZipForge().file("a").file("b"), limits: limits) == "archive.too-many-entries")
    }

    @Test func `an archive whose unpacked size is over the limit is refused`() throws {
        var limits = ArchiveLimits()
        limits.unpackedSize = 13
        #expect(try verdict(ZipForge().file("a").file("b"), limits: limits) == "archive.too-large")
        limits.unpackedSize = 14
        #expect(try verdict(ZipForge().file("a").file("b"), limits: limits) == nil)
    }

    @Test func `a small archive that claims to unpack to gigabytes is refused`() throws {
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

    @Test func `an archive with a compression ratio over the limit is refused, unless it is small`() throws {
        var limits = ArchiveLimits()
        (limits.ratio, limits.ratioFloor) = (10, 100_000)
        let claim = { (size: UInt32) in ZipForge().file("a", deflated: true) { $0.both { $0.size = size } } }
        #expect(try verdict(claim(100_001), limits: limits) == "archive.too-dense")
        #expect(try verdict(claim(100_000), limits: limits) == "archive.wrong-size")
    }

    @Test func `paths over the limits of depth or length are refused`() throws {
        let part = String(repeating: "x", count: 255)
        #expect(try verdict(ZipForge().file(part)) == nil)
        #expect(try verdict(ZipForge().file(part + "x")) == "archive.name-too-long")
        // Limits count bytes, not characters.
        #expect(try verdict(ZipForge().file(String(repeating: "ä", count: 128))) == "archive.name-too-long")
        #expect(
            try verdict(ZipForge().file([part, part, part, part, "x"].joined(separator: "/")))
                == "archive.name-too-long")
        let deep = { String(repeating: "d/", count: $0 - 1) + "f" }
        #expect(try verdict(ZipForge().file(deep(16)).file("a")) == nil)
        #expect(try verdict(ZipForge().file(deep(17)).file("a")) == "archive.too-deep")
    }

    // MARK: Result

    @Test func `the report lists each file of the pack with its size and hash, in order`() throws {
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

    @Test func `unpacked files are readable by all and ignore the modes in the archive`() throws {
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

    @Test func `unpacking does not write through an existing symbolic link`() throws {
        let scratch = try Scratch()
        let target = try scratch.folder.createDirectory("target")
        let outside = try scratch.folder.createDirectory("outside")
        #expect(symlinkat(outside.path, target.descriptor, "d") == 0)
        #expect(throws: StoreError.self) {
            try Unpacker().unpack(
                scratch.file(ZipForge().file("d/x").file("a").build()), into: target, limits: ArchiveLimits())
        }
        #expect(try outside.entries().isEmpty)
    }

    @Test func `unpacking does not overwrite an existing file`() throws {
        let scratch = try Scratch()
        let target = try scratch.folder.createDirectory("target")
        _ = try target.createFile("a")
        #expect(throws: StoreError.self) {
            try Unpacker().unpack(scratch.file(ZipForge().file("a").build()), into: target, limits: ArchiveLimits())
        }
        #expect(try target.read("a").isEmpty)
    }

    @Test func `the entry table states where the bytes of each file are`() throws {
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
            #expect(entry.compressedSHA256 == SHA256Digest(of: raw))
        }
    }

    @Test func `no entry table is created for an archive with damaged contents`() throws {
        let forge = ZipForge().file("a") { $0.data[0] ^= 1 }
        let archive = try Scratch().archive(forge)
        #expect(throws: StoreError.self) { try archive.entryTable() }
    }
}
