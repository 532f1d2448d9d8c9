import StoreArchives
import StoreTestSupport
import Testing

@Suite struct NameTests {
    @Test(arguments: [
        "a", "a b", "ä.png", "日本語/😀.webp", "a..b", "~", "ab:c", "d/\u{301}e/\u{301}f", " a", "a. b", "ab:c$",
        "x'\"*?|<>&;$(a)",
    ])
    func `ordinary names are accepted`(name: String) throws {
        let scratch = try Scratch()
        let (folder, report) = try scratch.unpack(ZipForge().file(name).file("zz").build())
        #expect(report.files.map(\.path).contains(name))
        #expect(try Array(folder.read(name)) == text("content"))
    }

    @Test(arguments: ["../x", "a/../x", "..", "a/..", "/x", "/", "//x", "../", "C:/x", "c:x", "a/../../x"])
    func `a name that leads out of the directory is refused`(name: String) throws {
        #expect(try verdict(ZipForge().file(name) { $0.attributes = 0 }) == "archive.traversal")
    }

    @Test(arguments: ["", ".", "./x", "a/./x", "a//x", "a/.", "x/./", "a//", "...", ".../a", "a/..../b"])
    func `a name with an empty component or one of dots only is refused`(name: String) throws {
        #expect(try verdict(ZipForge().file(name) { $0.attributes = 0 }) == "archive.empty-name-part")
    }

    @Test(arguments: [
        "x.txt.", "x.txt ", "x.txt. .", "dir./x", "dir /x", "x.txt::$DATA", "dir::$INDEX_ALLOCATION/x", "xx:y:$data",
    ])
    func `a name that Windows stores as that of another file is refused`(name: String) throws {
        #expect(try verdict(ZipForge().file("x.txt").file(name)) == "archive.unportable-name")
        #expect(try verdict(ZipForge().file(name).file("zz")) == "archive.unportable-name")
    }

    @Test(arguments: ["a\\b", "..\\x", "\\\\host\\x", "a\\"])
    func `a name with a backslash is refused`(name: String) throws {
        #expect(try verdict(ZipForge().file(name)) == "archive.backslash")
    }

    @Test(arguments: [0, 1, 9, 10, 13, 27, 31, 127] as [UInt8])
    func `a name with a control character is refused`(byte: UInt8) throws {
        #expect(try verdict(ZipForge().file(rawName: text("a") + [byte] + text("b"))) == "archive.control-character")
    }

    @Test func `a name that is not UTF-8 is refused, flagged or not`() throws {
        for name: [UInt8] in [
            [0x61, 0xe4], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xff], [0xf4, 0x90, 0x80, 0x80], [0x84],
        ] {
            for flags: UInt16 in [0, 1 << 11] {
                let forge = ZipForge().file(rawName: name) { $0.both { $0.flags = flags } }
                #expect(try verdict(forge) == "archive.name-not-utf8")
            }
        }
    }

    @Test func `a UTF-8 name without its flag is accepted`() throws {
        #expect(try verdict(ZipForge().file("ä/日本.png") { $0.both { $0.flags = 0 } }) == nil)
    }

    @Test func `a different second name is refused in either header`() throws {
        let same = ZipForge.unicodeName("a", of: "a")
        #expect(try verdict(ZipForge().file("a") { $0.both { $0.extra = same } }) == nil)
        let other = ZipForge.unicodeName("b", of: "a")
        #expect(try verdict(ZipForge().file("a") { $0.local.extra = other }) == "archive.second-name")
        #expect(try verdict(ZipForge().file("a") { $0.central.extra = other }) == "archive.second-name")
        // Some readers compare its checksum with that of the first name, others do not.
        let stale = ZipForge.unicodeName("b", of: "c")
        #expect(try verdict(ZipForge().file("a") { $0.central.extra = stale }) == "archive.second-name")
        let future = ZipForge.unicodeName("b", of: "a", version: 2)
        #expect(try verdict(ZipForge().file("a") { $0.central.extra = future }) == "archive.bad-extra-field")
        #expect(try verdict(ZipForge().file("a") { $0.both { $0.extra = same + other } }) == "archive.bad-extra-field")
    }

    @Test func `a repeated name is refused`() throws {
        #expect(try verdict(ZipForge().file("a").file("a")) == "archive.duplicate-name")
        #expect(try verdict(ZipForge().folder("a").folder("a")) == "archive.duplicate-name")
        #expect(try verdict(ZipForge().file("a/b").folder("a").file("a/b")) == "archive.duplicate-name")
    }

    @Test func `a directory entry may come before its files, after them, or be missing`() throws {
        #expect(try verdict(ZipForge().folder("a").file("a/b").folder("c/d").folder("c").file("e/f/g")) == nil)
    }

    @Test(arguments: [
        ("a.png", "A.PNG"), ("ä", "a\u{308}"), ("Ä/x", "a\u{308}/y"), ("straße", "STRASSE"), ("σ", "ς"),
        ("dir/a", "DIR/b"), ("K", "\u{212a}"), ("ﬀ", "ff"),
    ])
    func `names that collide on case-insensitive file systems are refused`(first: String, second: String) throws {
        #expect(try verdict(ZipForge().file(first).file(second)) == "archive.name-collision")
    }

    @Test func `a path that is both a file and a directory is refused`() throws {
        #expect(try verdict(ZipForge().file("a").file("a/b")) == "archive.file-and-folder")
        #expect(try verdict(ZipForge().file("a/b").file("a")) == "archive.file-and-folder")
        #expect(try verdict(ZipForge().file("a/\u{301}b").file("a")) == "archive.file-and-folder")
        #expect(try verdict(ZipForge().folder("a").file("a")) == "archive.file-and-folder")
    }

    @Test(arguments: [".receipt.json", ".RECEIPT.json"])
    func `the name of the receipt is reserved at the root of the pack`(name: String) throws {
        #expect(try verdict(ZipForge().file(name).file("a")) == "archive.reserved-name")
        #expect(try verdict(ZipForge().file("pack/" + name).file("pack/a")) == "archive.reserved-name")
        #expect(try verdict(ZipForge().file(name + "/x").file("a")) == "archive.reserved-name")
        #expect(try verdict(ZipForge().file(name + "/\u{301}x").file("a")) == "archive.reserved-name")
        #expect(try verdict(ZipForge().file("pack/" + name).file("a")) == "archive.reserved-name")
        #expect(try verdict(ZipForge().file("pack/d/" + name).file("a")) == "archive.hidden-name")
    }

    // MARK: The root of the pack

    @Test func `files at the root keep their paths`() throws {
        let archive = try Scratch().archive(ZipForge().file("a").file("d/b"))
        #expect(archive.root == nil)
        #expect(archive.entries.map(\.packPath) == ["a", "d/b"])
    }

    @Test func `a single top-level directory is the root of the pack`() throws {
        let archive = try Scratch().archive(ZipForge().folder("päck").file("päck/a").file("päck/d/b"))
        #expect(archive.root == "päck")
        #expect(archive.entries.map(\.path) == ["päck", "päck/a", "päck/d/b"])
        #expect(archive.entries.map(\.packPath) == ["", "a", "d/b"])
        #expect(archive.entries.map(\.isDirectory) == [true, false, false])
    }

    @Test func `a top-level directory beside another, or with a longer name, is not the root of the pack`() throws {
        let scratch = try Scratch()
        #expect(try scratch.archive(ZipForge().file("p/a").file("q/p/a")).root == nil)
        #expect(try scratch.archive(ZipForge().file("p/a").file("pp/a")).root == nil)
        #expect(try scratch.archive(ZipForge().folder("p")).root == nil)
        #expect(try scratch.archive(ZipForge().file("p")).root == nil)
    }
}
