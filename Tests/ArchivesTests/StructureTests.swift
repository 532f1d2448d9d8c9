import StoreArchives
import StoreTestSupport
import Testing

@Suite struct StructureTests {
    let plain = ZipForge().file("a.png").file("b/c.png", deflated: true)

    @Test func `a plain archive is accepted`() throws { #expect(try verdict(plain) == nil) }
    @Test func `an empty archive is accepted`() throws { #expect(try verdict(ZipForge()) == nil) }
    @Test func `an archive with a comment is accepted`() throws {
        #expect(try verdict(plain.with { $0.comment = text("hello") }) == nil)
    }

    @Test func `a file that is not an archive has no end record`() throws {
        #expect(try verdict([]) == "archive.no-end-record")
        #expect(try verdict(text("<!DOCTYPE html>")) == "archive.no-end-record")
        #expect(try verdict([UInt8](repeating: 0x50, count: 70_000)) == "archive.no-end-record")
    }

    @Test func `an archive that is truncated anywhere is refused`() throws {
        let whole = plain.with { $0.comment = text("hello") }.build()
        for count in 0..<whole.count {
            #expect(try verdict(Array(whole.prefix(count))) != nil, "the first \(count) bytes")
        }
    }

    @Test func `data after the end is refused`() throws {
        #expect(try verdict(plain.with { $0.suffix = [0] }) == "archive.data-after")
        #expect(try verdict(plain.with { $0.suffix = text("hidden") }) == "archive.data-after")
    }

    @Test func `data before the first entry is refused`() throws {
        #expect(try verdict(plain.with { $0.prefix = text("#!/bin/sh\n") }) == "archive.data-before")
        let shifted = plain.with { ($0.prefix, $0.shifted) = (text("#!/bin/sh\n"), true) }
        #expect(try verdict(shifted) == "archive.data-before")
        #expect(try verdict(ZipForge().with { $0.prefix = [1] }) == "archive.data-before")
    }

    @Test func `data between entries is refused`() throws {
        let forge = ZipForge().file("a").file("b") { $0.before = text("hidden") }
        #expect(try verdict(forge) == "archive.data-between")
    }

    @Test func `data before the central directory is refused`() throws {
        #expect(try verdict(plain.with { $0.beforeDirectory = text("signing block") }) == "archive.data-between")
    }

    @Test func `data between the central directory and the end record is refused`() throws {
        #expect(try verdict(plain.with { $0.beforeEnd = text("hidden") }) == "archive.data-between")
    }

    @Test func `an entry that the central directory does not list is refused`() throws {
        #expect(try verdict(ZipForge().file("a").file("b") { $0.isInDirectory = false }) == "archive.data-between")
        #expect(try verdict(ZipForge().file("a") { $0.isInDirectory = false }.file("b")) == "archive.data-before")
    }

    @Test func `entries that share bytes are refused`() throws {
        let quoted = ZipForge().file("a", ZipForge().file("b").build())
            .file("b") { ($0.offset, $0.isLocal) = (31, false) }
        #expect(try verdict(quoted) == "archive.overlap")
        #expect(try verdict(ZipForge().file("a").file("a2") { $0.offset = 0 }) != nil)
        let same = ZipForge().file("a").file("b") { ($0.offset, $0.isLocal) = (0, false) }
        #expect(try verdict(same) == "archive.overlap")
    }

    @Test func `an entry that overlaps the central directory is refused`() throws {
        let long = ZipForge().file("a") { $0.both { ($0.size, $0.compressedSize) = (70, 70) } }
        #expect(try verdict(long) == "archive.overlap")
    }

    @Test func `a central directory at another offset than the end record states is refused`() throws {
        #expect(try verdict(plain.with { $0.changeEnd = { $0.offset += 1 } }) == "archive.bad-directory")
        #expect(try verdict(plain.with { $0.changeEnd = { $0.size += 1 } }) == "archive.bad-directory")
        #expect(
            try verdict(plain.with { $0.changeEnd = { ($0.offset, $0.size) = ($0.offset + 1, $0.size - 1) } }) != nil)
    }

    @Test func `a count that differs from the central directory is refused`() throws {
        for change: @Sendable (inout ZipForge.End) -> Void in [
            { ($0.count, $0.countOfDisk) = (1, 1) }, { ($0.count, $0.countOfDisk) = (3, 3) },
            { ($0.count, $0.countOfDisk) = (0, 0) },
        ] {
            #expect(try verdict(plain.with { $0.changeEnd = change }) == "archive.bad-directory")
        }
    }

    @Test func `two end records are refused`() throws {
        let inside = ZipForge().file("evil").build()
        // Each comment extends to the end of the file.
        let end = Array(inside.suffix(22))
        #expect(try verdict(plain.with { $0.comment = end }) == "archive.several-end-records")
        let twice = plain.with { $0.beforeEnd = end.dropLast(2) + [22, 0] }
        #expect(try verdict(twice) == "archive.several-end-records")
    }

    @Test func `a comment that hides a record is refused`() throws {
        for record in [[5, 6], [3, 4], [1, 2], [6, 6], [6, 7]] as [[UInt8]] {
            let hidden = text("PK") + record + [UInt8](repeating: 0, count: 30)
            #expect(try verdict(plain.with { $0.comment = hidden }) == "archive.hidden-record")
            let word = record == [5, 6] ? "archive.several-end-records" : "archive.hidden-record"
            #expect(try verdict(ZipForge().file("a") { $0.comment = hidden }) == word)
        }
    }

    @Test func `an extra field that hides a record is refused`() throws {
        let field = ZipForge.extra(0x1337, ZipForge().file("evil").build().dropLast(22))
        #expect(try verdict(ZipForge().file("a") { $0.local.extra = field }) == "archive.hidden-record")
        #expect(try verdict(ZipForge().file("a") { $0.central.extra = field }) == "archive.hidden-record")
    }

    @Test func `a ZIP within a ZIP is accepted unless it makes the archive ambiguous`() throws {
        let inner = ZipForge().file("x").file("y", deflated: true).build()
        #expect(try verdict(ZipForge().file("inner.zip", inner)) == nil)
        // The directory's offset, counted from the start of the outer file, leads to the inner directory.
        let shift = UInt32(30 + "inner.zip".utf8.count)
        let ambiguous = ZipForge().file("x").with { $0.changeEnd = { $0.offset += shift } }.build()
        #expect(try verdict(ZipForge().file("inner.zip", ambiguous)) == "archive.several-end-records")
        #expect(try verdict(ZipForge().file("inner.zip", ZipForge().build())) == "archive.several-end-records")
    }

    @Test func `an archive in several parts is refused`() throws {
        #expect(try verdict(plain.with { $0.changeEnd = { $0.disk = 1 } }) == "archive.several-disks")
        #expect(try verdict(plain.with { $0.changeEnd = { $0.directoryDisk = 1 } }) == "archive.several-disks")
        #expect(try verdict(plain.with { $0.changeEnd = { $0.countOfDisk = 1 } }) == "archive.several-disks")
        #expect(try verdict(ZipForge().file("a") { $0.disk = 1 }) == "archive.several-disks")
    }

    // MARK: ZIP64

    @Test func `a matching ZIP64 end record is accepted`() throws {
        #expect(try verdict(plain.with { $0.zip64 = { _ in } }) == nil)
        #expect(try verdict(plain.with { ($0.zip64, $0.changeEnd) = ({ _ in }, { $0.refer() }) }) == nil)
    }

    @Test func `a contradictory ZIP64 end record is refused`() throws {
        for change: @Sendable (inout ZipForge.Zip64) -> Void in [
            { $0.offset += 1 }, { $0.size -= 1 }, { ($0.count, $0.countOfDisk) = (1, 1) }, { $0.recordOffset += 1 },
            { $0.recordOffset = .max }, { $0.recordSize = 100 }, { ($0.rest, $0.recordSize) = ([1, 2, 3, 4], 48) },
        ] {
            #expect(try verdict(plain.with { $0.zip64 = change }) == "archive.zip64-mismatch")
        }
        #expect(try verdict(plain.with { $0.zip64 = { $0.disks = 2 } }) == "archive.several-disks")
        #expect(try verdict(plain.with { $0.zip64 = { $0.count = 1 } }) == "archive.several-disks")
    }

    @Test func `a ZIP64 locator that is not directly before the end record is refused`() throws {
        #expect(try verdict(plain.with { $0.zip64 = { $0.after = [0] } }) != nil)
    }

    @Test func `an end record that refers to a missing ZIP64 record is refused`() throws {
        #expect(try verdict(plain.with { $0.changeEnd = { $0.refer() } }) == "archive.zip64-mismatch")
        #expect(try verdict(plain.with { $0.changeEnd = { $0.offset = .max } }) == "archive.zip64-mismatch")
    }

    @Test func `huge numbers in the ZIP64 end record are refused`() throws {
        for number: UInt64 in [.max, .max / 2, 1 << 62, 1 << 32] {
            let forge = plain.with {
                $0.changeEnd = { $0.refer() }
                $0.zip64 = { ($0.offset, $0.size) = (number, number) }
            }
            #expect(try verdict(forge) == "archive.bad-directory")
            let many = plain.with {
                $0.changeEnd = { $0.refer() }
                $0.zip64 = { ($0.count, $0.countOfDisk) = (number, number) }
            }
            #expect(try verdict(many) == "archive.too-many-entries")
        }
    }
}
