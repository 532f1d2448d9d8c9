import StoreArchives
import StoreTestSupport
import Testing

@Suite struct HeaderTests {
    typealias Change = @Sendable (inout ZipForge.Header) -> Void
    static let changes: [(field: String, change: Change)] = [
        ("name", { $0.name = text("b.png") }), ("longer name", { $0.name = text("a.png.exe") }),
        ("method", { $0.method = 8 }), ("checksum", { $0.crc32 ^= 1 }), ("size", { $0.size += 1 }),
        ("compressed size", { $0.compressedSize -= 1 }), ("no size", { $0.size = 0 }),
        ("encryption", { $0.flags |= 1 }), ("descriptor", { $0.flags |= 1 << 3 }), ("patch", { $0.flags |= 1 << 5 }),
        ("strong encryption", { $0.flags |= 1 << 6 }), ("UTF-8", { $0.flags |= 1 << 11 }),
        ("masked", { $0.flags |= 1 << 13 }),
    ]

    @Test func `a local header that differs from the central one is refused`() throws {
        for (field, change) in HeaderTests.changes {
            #expect(
                try verdict(ZipForge().file("a.png") { change(&$0.local) }) == "archive.header-mismatch", "\(field)")
        }
    }

    @Test func `a missing local header is refused`() throws {
        #expect(try verdict(ZipForge().file("a") { $0.offset = 4 }) == "archive.data-before")
        #expect(try verdict(ZipForge().file("a") { $0.offset = 0xffff_fff0 }) == "archive.data-before")
        var bytes = ZipForge().file("a").build()
        bytes[0] = 0
        #expect(try verdict(bytes) == "archive.header-mismatch")
    }

    @Test func `compression level, times and versions may differ between the headers`() throws {
        let forge = ZipForge().file("a", deflated: true) {
            $0.local.flags |= 2
            $0.local.time = 0
            $0.local.version = 45
            $0.local.extra = ZipForge.extra(0x5455, [1, 0, 0, 0, 0])
        }
        #expect(try verdict(forge) == nil)
    }

    // MARK: Data descriptors

    @Test func `a matching data descriptor is accepted in all four forms`() throws {
        for (signature, wide) in [(true, false), (false, false), (true, true), (false, true)] {
            for deflated in [false, true] {
                let forge = ZipForge().file("a", deflated: deflated) { $0.stream(signature: signature, wide: wide) }
                    .file("b").folder("c") { $0.stream() }
                // A streaming reader finds the end of stored data only by the signature.
                let isAccepted = signature || deflated
                #expect(try verdict(forge) == (isAccepted ? nil : "archive.descriptor-mismatch"))
            }
        }
    }

    @Test func `a data descriptor without a signature that looks as if it had one is refused`() throws {
        // The CRC-32 of this content equals the signature.
        let content: [UInt8] = [172, 10, 122, 213]
        #expect(ZipForge.crc32(content) == 0x0807_4b50)
        let forge = { signature in
            ZipForge().file("a", content, deflated: true) { $0.stream(signature: signature) }.file("b")
        }
        #expect(try verdict(forge(true)) == nil)
        #expect(try verdict(forge(false)) == "archive.descriptor-mismatch")
    }

    @Test func `a data descriptor with other values than the header is refused`() throws {
        let length = ZipForge().file("a") { $0.stream() }.entries[0].descriptor.count
        for place in 0..<length {
            let forge = ZipForge().file("a", deflated: true) {
                $0.stream()
                $0.descriptor[place] ^= 1
            }
            #expect(try verdict(forge) == "archive.descriptor-mismatch", "byte \(place)")
        }
    }

    @Test func `a data descriptor that is missing, too long, or of the wrong width is refused`() throws {
        for change: (inout ZipForge.Entry) -> Void in [
            { $0.descriptor = [] }, { $0.descriptor += [0] }, { $0.descriptor += $0.descriptor },
            {
                $0.local.extra = []
                ($0.local.size, $0.local.compressedSize) = (0, 0)
                $0.descriptor += [0, 0, 0, 0]
            },
        ] {
            let forge = ZipForge().file("a", deflated: true) {
                $0.stream()
                change(&$0)
            }
            #expect(try verdict(forge) == "archive.descriptor-mismatch")
        }
    }

    @Test func `stored data with a descriptor may not contain the signature of a descriptor`() throws {
        let inner = ZipForge().file("x") { $0.stream() }.build()
        #expect(try verdict(ZipForge().file("a", inner) { $0.stream() }.file("b")) == "archive.hidden-record")
        #expect(try verdict(ZipForge().file("a", inner, deflated: true) { $0.stream() }.file("b")) == nil)
        // The signature is also found across the boundary of two chunks.
        let far = [UInt8](repeating: 7, count: (256 << 10) - 2) + text("PK\u{7}\u{8}") + [1]
        #expect(try verdict(ZipForge().file("a", far) { $0.stream() }.file("b")) == "archive.hidden-record")
    }

    // MARK: ZIP64 extra fields

    @Test func `sizes in a ZIP64 extra field are accepted`() throws {
        let content = text("content")
        let forge = ZipForge().file("a", content) {
            $0.both {
                ($0.size, $0.compressedSize) = (.max, .max)
                $0.extra = ZipForge.zip64Extra(7, 7)
            }
        }
        #expect(try verdict(forge) == nil)
        let local = ZipForge().file("a", content) {
            ($0.local.size, $0.local.compressedSize) = (.max, .max)
            $0.local.extra = ZipForge.zip64Extra(7, 7)
        }
        #expect(try verdict(local) == nil)
        #expect(try verdict(ZipForge().file("a", content) { $0.central.extra = ZipForge.zip64Extra(7, 7, 0) }) == nil)
    }

    @Test func `contradictory sizes in a ZIP64 extra field are refused`() throws {
        let other = ZipForge.zip64Extra(5, 5)
        #expect(try verdict(ZipForge().file("a") { $0.central.extra = other }) == "archive.zip64-mismatch")
        #expect(try verdict(ZipForge().file("a") { $0.local.extra = other }) == "archive.zip64-mismatch")
        let both = ZipForge().file("a") {
            $0.central.size = .max
            $0.central.extra = ZipForge.zip64Extra(7, 5)
        }
        #expect(try verdict(both) == "archive.zip64-mismatch")
        let local = ZipForge().file("a") {
            ($0.local.size, $0.local.compressedSize) = (.max, .max)
            $0.local.extra = ZipForge.zip64Extra(7, 5)
        }
        #expect(try verdict(local) == "archive.header-mismatch")
        let offset = ZipForge().file("a") {
            $0.offset = .max
            $0.central.extra = ZipForge.zip64Extra(.max)
        }
        #expect(try verdict(offset) == "archive.data-before")
    }

    @Test func `a ZIP64 extra field with additional numbers is accepted if it has only one meaning`() throws {
        // WinZip and Perl write sizes, offset, and disk number whether needed or not.
        let whole = { (size: UInt64, offset: UInt64, disk: UInt8) in
            var field = ZipForge.zip64Extra(size, 7, offset) + [disk, 0, 0, 0]
            field[2] += 4
            return field
        }
        let verdict = { (field: [UInt8], refer: (inout ZipForge.Header) -> Void) in
            try StoreArchivesTests.verdict(
                ZipForge().file("a", text("content")) {
                    $0.central.extra = field
                    refer(&$0.central)
                })
        }
        let sizes = { (header: inout ZipForge.Header) in (header.size, header.compressedSize) = (.max, .max) }
        for field in [whole(7, 0, 0), ZipForge.zip64Extra(7, 7, 0)] {
            #expect(try verdict(field, sizes) == nil, "\(field)")
            #expect(try verdict(field) { $0.size = .max } == nil, "\(field)")
            #expect(try verdict(field) { _ in } == nil, "\(field)")
            // A reader that takes only the fields it needs would take the size for the compressed size.
            #expect(try verdict(field) { $0.compressedSize = .max } == "archive.zip64-mismatch")
        }
        for field in [whole(7, 5, 0), whole(7, 0, 1)] {
            #expect(try verdict(field, sizes) != nil)
            #expect(try verdict(field) { _ in } != nil)
        }
        #expect(try verdict(whole(5, 0, 0)) { _ in } == "archive.zip64-mismatch")
    }

    @Test func `a ZIP64 extra field that is missing, short or repeated is refused`() throws {
        #expect(try verdict(ZipForge().file("a") { $0.both { $0.size = .max } }) == "archive.zip64-mismatch")
        let short = ZipForge().file("a") {
            $0.central.size = .max
            $0.central.extra = ZipForge.extra(1, [7, 0, 0])
        }
        #expect(try verdict(short) == "archive.zip64-mismatch")
        let twice = ZipForge().file("a") {
            $0.both { $0.extra = ZipForge.zip64Extra(7, 7) + ZipForge.zip64Extra(0, 0) }
        }
        #expect(try verdict(twice) == "archive.bad-extra-field")
    }

    // MARK: Extra fields

    @Test func `common extra fields are accepted`() throws {
        let fields =
            ZipForge.extra(0xcafe, []) + ZipForge.extra(0x5455, [3, 0, 0, 0, 0, 0, 0, 0, 0])
            + ZipForge.extra(0x7875, [1, 4, 232, 3, 0, 0, 4, 232, 3, 0, 0])
            + ZipForge.extra(0x000a, [UInt8](repeating: 0, count: 32)) + [0, 0, 0]
        #expect(try verdict(ZipForge().file("a") { $0.both { $0.extra = fields } }) == nil)
    }

    @Test func `a malformed extra field is refused`() throws {
        let long = ZipForge.extra(0x5455, [1, 2, 3, 4]).dropLast()
        #expect(try verdict(ZipForge().file("a") { $0.central.extra = Array(long) }) == "archive.bad-extra-field")
        #expect(try verdict(ZipForge().file("a") { $0.local.extra = [1, 2] }) == "archive.bad-extra-field")
    }

    // MARK: File types

    @Test func `a symbolic link is refused`() throws {
        #expect(try verdict(ZipForge().symlink("x", to: "/etc/passwd")) == "archive.link")
        // The file type is checked whatever system the entry claims to come from.
        let dos = ZipForge().symlink("x", to: "/etc/passwd").with { $0.entries[0].madeBy = 20 }
        #expect(try verdict(dos) == "archive.link")
    }

    @Test func `an extra field that declares a link is refused`() throws {
        let times = [UInt8](repeating: 0, count: 12)
        #expect(try verdict(ZipForge().file("x") { $0.local.extra = ZipForge.extra(0x000d, times) }) == nil)
        let target = ZipForge.extra(0x000d, times + text("/etc/passwd"))
        #expect(try verdict(ZipForge().file("x") { $0.local.extra = target }) == "archive.link")
        let asi = ZipForge.extra(0x756e, [0, 0, 0, 0, 0xff, 0xa1] + [UInt8](repeating: 0, count: 8) + text("/etc"))
        #expect(try verdict(ZipForge().file("x") { $0.central.extra = asi }) == "archive.link")
        let streamed = ZipForge.extra(0x6c78, [4, 0, 0, 0xff, 0xa1])
        #expect(try verdict(ZipForge().file("x") { $0.local.extra = streamed }) == "archive.link")
    }

    @Test func `devices, pipes, sockets and unknown file types are refused`() throws {
        for kind: UInt32 in [0o020000, 0o060000, 0o010000, 0o140000, 0o150000] {
            let forge = ZipForge().file("x") { $0.attributes = (kind | 0o644) << 16 }
            #expect(try verdict(forge) == "archive.special-file")
        }
    }

    @Test func `an entry that is both a file and a directory is refused`() throws {
        let cases: [ZipForge] = [
            ZipForge().file("x") { $0.attributes |= 0x10 },
            ZipForge().file("x") { $0.attributes = 0o040755 << 16 },
            ZipForge().folder("x") { $0.attributes = 0o100644 << 16 },
            ZipForge().file("x/"),
        ]
        for forge in cases { #expect(try verdict(forge) == "archive.file-and-folder") }
        let contents = ZipForge().file("x/") { $0.attributes = 0 }
        #expect(try verdict(contents) == "archive.file-and-folder")
    }

    @Test func `a deflated directory entry is accepted`() throws {
        let forge = ZipForge().folder("x") {
            $0.data = ZipForge.deflated([])
            $0.both { ($0.method, $0.compressedSize) = (8, 2) }
        }
        #expect(try verdict(forge.file("x/y")) == nil)
    }

    @Test func `encrypted entries are refused`() throws {
        for flags: UInt16 in [1, 1 << 6 | 1, 1 << 13] {
            #expect(try verdict(ZipForge().file("x") { $0.both { $0.flags |= flags } }) == "archive.encrypted")
        }
        #expect(try verdict(ZipForge().file("x") { $0.both { $0.method = 99 } }) == "archive.encrypted")
        // AES encryption is declared in one header only.
        let mark = ZipForge.extra(0x9901, [2, 0, 0x41, 0x45, 3, 0, 0])
        #expect(try verdict(ZipForge().file("x") { $0.central.extra = mark }) == "archive.encrypted")
        #expect(try verdict(ZipForge().file("x") { $0.local.extra = mark }) == "archive.encrypted")
    }

    @Test func `an unsupported format version is refused in either header`() throws {
        for version: UInt16 in [46, 63, 255] {
            #expect(try verdict(ZipForge().file("a") { $0.central.version = version }) == "archive.unknown-method")
            #expect(try verdict(ZipForge().file("a") { $0.local.version = version }) == "archive.unknown-method")
        }
        // The upper byte is the operating system.
        #expect(try verdict(ZipForge().file("a") { $0.both { $0.version = 3 << 8 | 45 } }) == nil)
    }

    @Test func `unsupported compression methods are refused`() throws {
        for method: UInt16 in [1, 6, 9, 12, 14, 93, 95, 98, 0xffff] {
            #expect(try verdict(ZipForge().file("x") { $0.both { $0.method = method } }) == "archive.unknown-method")
        }
        #expect(try verdict(ZipForge().file("x") { $0.both { $0.flags |= 1 << 5 } }) == "archive.unknown-method")
    }
}
