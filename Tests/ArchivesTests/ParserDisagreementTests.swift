import StoreArchives
import StoreTestSupport
import Testing

/// Archives in which different ZIP parsers see different files.
///
/// The cases are those of the ZipDiff study (You and others, USENIX Security 2025), with its numbers.
@Suite struct ParserDisagreementTests {
    @Test func `different compression methods in the headers are refused (A1)`() throws {
        let deflated = ZipForge().file("test", text("test"), deflated: true)
        let stored = { (header: inout ZipForge.Header) in (header.method, header.compressedSize) = (0, 4) }
        #expect(try verdict(deflated.with { stored(&$0.entries[0].local) }) == "archive.header-mismatch")
        #expect(try verdict(deflated.with { stored(&$0.entries[0].central) }) == "archive.header-mismatch")
    }

    /// Each size is zero or right, in either header, in a descriptor or not, plain or in a ZIP64 field; an accepted
    /// archive must state the same size everywhere.
    @Test func `different sizes are refused wherever they are declared (A2)`() throws {
        var accepted = 0
        for bits in 0..<(1 << 9) {
            func bit(_ number: Int) -> Bool { bits >> number & 1 == 1 }
            let forge = ZipForge().file("test", text("test"), deflated: bit(0)) { entry in
                if bit(1) {
                    entry.both { $0.flags |= 8 }
                    entry.stream()
                    (entry.local.size, entry.local.compressedSize) = (entry.central.size, entry.central.compressedSize)
                    if bit(2) { entry.descriptor[8] = 0 }
                    if bit(3) { entry.descriptor[12] = 0 }
                }
                if bit(4) { entry.local.size = 0 }
                if bit(5) { entry.local.compressedSize = 0 }
                if bit(6) { entry.central.size = 0 }
                if bit(7) { entry.central.compressedSize = 0 }
                if bit(8) {
                    entry.both {
                        $0.extra = ZipForge.zip64Extra(UInt64($0.size), UInt64($0.compressedSize))
                        ($0.size, $0.compressedSize) = (.max, .max)
                    }
                }
            }
            guard try verdict(forge) == nil else { continue }
            accepted += 1
            #expect(!bit(6) && !bit(7), "\(bits)")
            if !bit(1) { #expect(!bit(4) && !bit(5), "\(bits)") } else { #expect(!bit(2) && !bit(3), "\(bits)") }
        }
        #expect(accepted > 0)
        let twice = ZipForge.zip64Extra(4, 4) + ZipForge.zip64Extra(0, 0)
        #expect(try verdict(ZipForge().file("test", text("test")) { $0.both { $0.extra = twice } }) != nil)
    }

    @Test func `different names are refused (A3)`() throws {
        #expect(try verdict(ZipForge().file("lfh") { $0.central.name = text("cdh") }) == "archive.header-mismatch")
        let other = { (name: String) in ZipForge.unicodeName(name, of: "original") }
        let differ = ZipForge().file("original") {
            ($0.local.extra, $0.central.extra) = (other("lfh"), other("cdh"))
        }
        #expect(try verdict(differ) == "archive.second-name")
        let flagged = ZipForge().file("original") { $0.both { ($0.flags, $0.extra) = (1 << 11, other("up")) } }
        #expect(try verdict(flagged) == "archive.second-name")
        for version: UInt8 in [0, 2] {
            let field = ZipForge.unicodeName("up", of: "original", version: version)
            #expect(try verdict(ZipForge().file("original") { $0.both { $0.extra = field } }) != nil)
        }
        let two = other("one") + ZipForge.unicodeName("two", of: "one")
        #expect(try verdict(ZipForge().file("original") { $0.both { $0.extra = two } }) != nil)
    }

    @Test func `an entry that is both a file and a directory is refused (A4)`() throws {
        #expect(try verdict(ZipForge().file("test/") { $0.attributes = 0 }) == "archive.file-and-folder")
        #expect(try verdict(ZipForge().file("test\\") { $0.attributes = 0 }) == "archive.backslash")
        for attributes: UInt32 in [0x10, 0x4000 << 16] {
            for system: UInt16 in [0, 3, 19] {
                let forge = ZipForge().file("test") { ($0.attributes, $0.madeBy) = (attributes, system << 8) }
                #expect(try verdict(forge) == "archive.file-and-folder")
            }
        }
    }

    @Test func `an entry that is encrypted according to one header is refused (A5)`() throws {
        #expect(try verdict(ZipForge().file("test") { $0.local.flags |= 1 }) == "archive.header-mismatch")
        #expect(try verdict(ZipForge().file("test") { $0.central.flags |= 1 }) == "archive.encrypted")
        let first = ZipForge().file("first") { $0.both { $0.flags |= 1 } }.file("second")
        #expect(try verdict(first) == "archive.encrypted")
    }

    @Test func `a repeated name is refused (B1)`() throws {
        #expect(try verdict(ZipForge().file("test", text("a")).file("test", text("b"))) == "archive.duplicate-name")
    }

    @Test func `special bytes in names are refused (B2)`() throws {
        for byte in UInt8.min...UInt8.max {
            let name = text("a") + [byte] + text("b")
            let expected: String? =
                switch byte {
                case 0..<0x20, 0x7f: "archive.control-character"
                case UInt8(ascii: "\\"): "archive.backslash"
                case UInt8(ascii: ":"): "archive.traversal"
                case 0x80...: "archive.name-not-utf8"
                default: nil
                }
            #expect(try verdict(ZipForge().file(rawName: name).file("zz")) == expected, "byte \(byte)")
        }
    }

    @Test(arguments: [
        "/a/b", "a//b", "a\\b", "./a/b", "a/./b", "a/b/.", "../a/b", ".../a/b", "a/.../b", "c/../a/b",
    ])
    func `different spellings of one path are refused (B3)`(path: String) throws {
        #expect(try verdict(ZipForge().file("a/b").file(path)) != nil)
        #expect(try verdict(ZipForge().file(path).file("a/b")) != nil)
        #expect(try verdict(ZipForge().file(path)) != nil)
    }

    @Test func `names that differ only in case are refused (B4)`() throws {
        #expect(try verdict(ZipForge().file("test.txt").file("test.TXT")) == "archive.name-collision")
    }

    @Test func `a stream with other entries than the central directory is refused (C1)`() throws {
        let missing = ZipForge().file("a").file("b") { $0.isInDirectory = false }
        #expect(try verdict(missing) == "archive.data-between")
        // A streaming reader stops where a directory seems to begin.
        let fake = ZipForge().file("a").build().suffix(22 + 47)
        let ends = ZipForge().file("a") { $0.descriptor = Array(fake) }.file("b")
        #expect(try verdict(ends) == "archive.several-end-records")
        // An entry is hidden in the comment of another.
        let hidden = Array(ZipForge().file("b").build().dropLast(22 + 47))
        #expect(try verdict(ZipForge().file("a") { $0.comment = hidden }) == "archive.hidden-record")
        #expect(try verdict(ZipForge().file("a").with { $0.comment = hidden }) == "archive.hidden-record")
        // An entry is hidden within another, and a second directory lists it.
        let inner = ZipForge().file("junk", Array(ZipForge().file("a").build().dropLast(22 + 47)))
            .file("a") { ($0.offset, $0.isLocal) = (34, false) }
        #expect(try verdict(inner) == "archive.overlap")
        // Either of two descriptors could end the stored data.
        let early = ZipForge().file("junk", []) { $0.stream() }.file("evil").build().dropLast(22 + 2 * 46 + 8)
        let late = ZipForge().file("junk", Array(early.dropFirst(34))) { $0.stream() }
        #expect(try verdict(late) == "archive.hidden-record")
        // The data ends early, and another entry follows within the rest.
        let hides = ZipForge().file("junk", deflated: true) {
            $0.data += early
            $0.both { [count = UInt32($0.data.count)] in $0.compressedSize = count }
            $0.stream()
        }
        #expect(try verdict(hides) == "archive.data-between")
    }

    @Test(arguments: [-1, 0, 1])
    func `an ambiguous end record is refused (C2)`(difference: Int) throws {
        let archive = { (name: String, start: Int, commentLength: Int) in
            ZipForge().file(name).with {
                $0.changeEnd = {
                    $0.commentLength = UInt16(commentLength)
                    $0.offset += UInt32(start)
                }
                $0.entries[0].offset = UInt32(start)
            }.build() + [0]
        }
        let size = archive("a", 0, 0).count
        let all =
            archive("a", 0, size * 2 + 1 + difference) + archive("b", size, size + 1)
            + archive("c", size * 2, 1 + difference)
        #expect(try verdict(all) != nil)
    }

    @Test func `wrong counts and sizes of the central directory are refused (C3)`() throws {
        let two = ZipForge().file("a").file("b")
        for bits in 1..<8 {
            let forge = two.with {
                $0.changeEnd = {
                    if bits & 1 != 0 { $0.countOfDisk -= 1 }
                    if bits & 2 != 0 { $0.count -= 1 }
                    if bits & 4 != 0 { $0.size /= 2 }
                }
            }
            #expect(try verdict(forge) != nil)
            let wide = two.with {
                $0.changeEnd = { $0.refer() }
                $0.zip64 = {
                    if bits & 1 != 0 { $0.countOfDisk -= 1 }
                    if bits & 2 != 0 { $0.count -= 1 }
                    if bits & 4 != 0 { $0.size /= 2 }
                }
            }
            #expect(try verdict(wide) != nil)
        }
    }

    @Test func `an ambiguous position of the central directory is refused (C4)`() throws {
        // One directory is at the offset of the end record, another directly before the end record.
        let inner = ZipForge().file("evil")
        let directory = Array(inner.build().dropLast(22).suffix(46 + 4))
        let forge = ZipForge().file("good").with { $0.beforeEnd = directory }
        #expect(try verdict(forge) == "archive.data-before")
        #expect(try verdict(forge.with { $0.beforeEnd = text("x") + directory + text("x") }) == "archive.data-between")
    }

    @Test func `ambiguous ZIP64 records are refused (C5)`() throws {
        let evil = ZipForge().file("evil").with { ($0.zip64, $0.changeEnd) = ({ _ in }, { $0.refer() }) }.build()
            .dropLast(22)
        for gap in [[], [0]] as [[UInt8]] {
            for refers in [false, true] {
                let forge = ZipForge().file("good") { $0.comment = Array(evil) + gap }
                    .with { if refers { $0.changeEnd = { $0.refer() } } }
                #expect(try verdict(forge) != nil)
            }
        }
        // The locator refers to one record, and another precedes the end record.
        let moved = ZipForge().file("a").with {
            $0.changeEnd = { $0.refer() }
            $0.zip64 = { $0.recordOffset -= 56 }
        }
        #expect(try verdict(moved) == "archive.zip64-mismatch")
    }
}
