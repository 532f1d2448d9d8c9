import FoundationEssentials
import StoreEmoji
import StoreImages
import StoreLibrary
import StoreModel
import StorePlugins
import StoreSkins
import StoreStickerPacks
import StoreSystem
import StoreTestSupport
import Testing

/// The rules for file types that all content kinds share.
@Suite struct ContentRulesTests {
    private static let kinds: [any ContentKind] = [StickerKind(), SkinKind(), EmojiKind()]
    private let folder: TemporaryFolder
    private var pack: Directory { folder.directory }

    init() throws { folder = try TemporaryFolder() }

    /// Returns the error with which a pack with one file is refused; `nil` if the pack is accepted.
    private func refusal(_ kind: any ContentKind, _ name: String, _ content: [UInt8]) throws -> StoreError? {
        try pack.put(name, Data(content))
        defer { try? pack.removeTree(String(name.prefix { $0 != "/" })) }
        let found = try Self.refusal { try kind.check(pack) }
        if let kind = kind as? any MemoryCheckableKind {
            let inMemory = FileTree(files: [FileTree.File(name, content[...])])
            let same = try Self.refusal { try kind.check(PackContents(inMemory), cancellation: CancellationFlag()) }
            #expect(found?.message == same?.message && found?.code == same?.code)
        }
        return found
    }

    private static func refusal(_ check: () throws -> Void) throws -> StoreError? {
        do {
            try check()
            return nil
        } catch {
            return try #require(error as? StoreError, "\(error)")
        }
    }

    private func refusal(_ kind: any ContentKind, _ name: String, _ content: String) throws -> StoreError? {
        try refusal(kind, name, Array(content.utf8))
    }

    @Test func `a directory in place of the information file is refused, on the disk and in memory`() throws {
        for kind in Self.kinds + [PluginKind()] {
            guard let kind = kind as? any MemoryCheckableKind else { continue }
            for tree in [
                FileTree(directories: ["pack.json"], files: []), FileTree(files: [.init("pack.json/a.txt", [0x61])]),
            ] {
                _ = try pack.createDirectory("pack.json")
                for file in tree.files { try pack.put(file.path, Data(file.bytes)) }
                defer { try? pack.removeTree("pack.json") }
                for contents in [PackContents(pack), PackContents(tree)] {
                    #expect(throws: StoreError.self, "\(kind.kind)") {
                        try kind.check(contents, cancellation: CancellationFlag())
                    }
                }
            }
        }
    }

    // MARK: Accepted

    static let images: [[UInt8]] = [
        ImageForge.png(), ImageForge.apng(), ImageForge.gif(), ImageForge.jpeg(), ImageForge.animatedWebP(),
        ImageForge.svg(),
    ]

    @Test func `images of all formats are accepted under any name`() throws {
        for kind in Self.kinds {
            for (image, name) in zip(Self.images, ["a.png", "a.apng", "a.gif", "a.jpg", "a.webp", "a.svg"]) {
                #expect(try refusal(kind, name, image) == nil)
                #expect(try refusal(kind, "in/ner/a.png", image) == nil)
                #expect(try refusal(kind, "b", image) == nil)
            }
        }
    }

    @Test(arguments: [
        "README", "LICENSE", "a.txt", "A.TXT", "README.md", "info.ini", "contents.json", "theme", "index.theme",
    ])
    func `text is accepted under the names of documents`(name: String) throws {
        for kind in Self.kinds {
            for text in ["", "words\r\n\tand words\u{0C}", "ééé 🙂", "\u{FEFF}a", "<3", "<a> is a tag"] {
                #expect(try refusal(kind, name, text) == nil, "\(text)")
            }
            // A legacy encoding.
            #expect(try refusal(kind, name, Array("Name=S".utf8) + [0xE3, 0x6F]) == nil)
        }
    }

    @Test func `an empty pack is accepted`() throws {
        for kind in Self.kinds { try kind.check(pack) }
    }

    @Test(arguments: [Receipt.fileName, "in/.hidden", ".git/objects/ab", "Thumbs.db", "__MACOSX/in/a"])
    func `the receipt and files that are never part of a pack are not checked`(name: String) throws {
        for kind in Self.kinds { #expect(try refusal(kind, name, [0]) == nil) }
        #expect(try refusal(StickerKind(), "in/hidden", [0])?.code == .fileType)
    }

    @Test func `an information file in which a member occurs twice is refused`() throws {
        for text in [
            #"{"permissions":[],"permissions":["network"]}"#, #"{"permissions":[],"permission\u0073":["network"]}"#,
            #"{"name":{"en":"a","en":"b"}}"#, #"{"unknown":[{"a":1,"a":1}]}"#,
        ] {
            for kind in Self.kinds + [PluginKind()] {
                let error = try refusal(kind, PackInformation.fileName, text)
                #expect(error?.code == .badInformation && error?.message.contains("occurs twice") == true, "\(text)")
            }
        }
    }

    @Test func `XML is accepted in skins and emoji sets only`() throws {
        for kind in [SkinKind(), EmojiKind()] as [any ContentKind] {
            #expect(try refusal(kind, "skin.xml", "<skin/>") == nil)
            #expect(try refusal(kind, "chat~desktop.xml", "<?xml version='1.0'?>\n<theme>\n</theme>") == nil)
        }
        #expect(try refusal(StickerKind(), "a.xml", "<a/>")?.code == .fileType)
        #expect(try refusal(StickerKind(), "a.txt", "<?xml version='1.0'?><a/>")?.code == .fileType)
    }

    // MARK: Rejected

    static let programs: [(String, [UInt8])] = [
        ("ELF", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]), ("Windows", Array("MZ".utf8) + [0x90, 0]),
        ("Mach-O", [0xCF, 0xFA, 0xED, 0xFE, 7, 0]), ("Java", [0xCA, 0xFE, 0xBA, 0xBE, 0, 0]),
        ("WebAssembly", [0, 0x61, 0x73, 0x6D, 1, 0]), ("script", Array("#!/bin/sh\nrm -rf ~".utf8)),
        ("script", [0xEF, 0xBB, 0xBF] + Array("#!/bin/sh".utf8)), ("PHP", Array("<?php phpinfo();".utf8)),
        ("desktop entry", Array("[Desktop Entry]\nExec=sh".utf8)),
    ]

    @Test(arguments: programs) func `programs are rejected under any name`(title: String, program: [UInt8]) throws {
        for kind in Self.kinds {
            for name in ["run", "a.png", "README.txt", "pack/a.xml", "a.desktop"] {
                let error = try refusal(kind, name, program)
                #expect(error?.code == .executable, "\(name)")
                #expect(error?.message.hasPrefix("'\(name)' is a") == true && error?.message.contains(title) == true)
            }
        }
    }

    @Test func `other file types are rejected by name`() throws {
        let others: [(String, [UInt8])] = [
            ("a ZIP archive", ZipForge().file("a").build()), ("a PDF document", Array("%PDF-1.4\n".utf8)),
            ("a gzip archive", [0x1F, 0x8B, 8, 0]), ("a web page", Array("<!DOCTYPE html><p>".utf8)),
            ("a web page", Array(" <HTML>".utf8)), ("a web page", Array("<script>".utf8)),
            ("a web page", Array("<?xml version='1.0'?><html/>".utf8)), ("a BMP image", Array("BM".utf8) + [0, 0, 0]),
            ("a GIMP image", Array("gimp xcf file".utf8)), ("a font", Array("wOF2".utf8) + [0]),
            ("a film or a sound (MP4)", [0, 0, 0, 8] + Array("ftypM4A ".utf8)),
            ("a file of no known kind", [1, 2, 3, 4, 5, 6, 7, 8]), ("a file of no known kind", Array("a\0b".utf8)),
            ("a file of no known kind", Array("\u{1B}[2J".utf8)),
        ]
        for kind in Self.kinds {
            for (title, content) in others {
                let error = try refusal(kind, "a.txt", content)
                #expect(error?.code == .fileType)
                #expect(error?.message.hasPrefix("'a.txt' is \(title), but ") == true, "\(error?.message ?? "")")
            }
        }
    }

    @Test(arguments: ["a.png", "a.js", "a.py", "a.sh", "a.html", "a.desktop", "a.url", "a.css", "a.svg", "a.bat"])
    func `text is rejected under the names of other types`(name: String) throws {
        for kind in Self.kinds {
            let error = try refusal(kind, name, "some text")
            #expect(error?.code == .fileType && error?.message.contains("'\(name)'") == true)
        }
        #expect(try refusal(StickerKind(), "a.png", "")?.code == .fileType)
    }

    @Test func `text is checked to its end`() throws {
        let text = [UInt8](repeating: 0x61, count: 100_000)
        #expect(try refusal(StickerKind(), "a.txt", text) == nil)
        #expect(try refusal(StickerKind(), "a.txt", text + [0])?.code == .fileType)
        #expect(try refusal(StickerKind(), "a.txt", [UInt8](repeating: 0x61, count: 5 << 20))?.code == .contentTooLarge)
    }

    @Test func `invalid images are rejected`() throws {
        var limits = ImageLimits()
        (limits.pixels, limits.frames) = (100, 3)
        for kind in [StickerKind(images: limits), SkinKind(images: limits), EmojiKind(images: limits)]
            as [any ContentKind]
        {
            let large = try refusal(kind, "in/a.png", ImageForge.png(11, 10))
            #expect(large?.code == .imageTooLarge)
            #expect(
                large?.message
                    == "could not use 'in/a.png': invalid PNG image: the image has 11 × 10 pixels; the limit is 100 pixels"
            )
            #expect(try refusal(kind, "a.gif", ImageForge.gif(frames: 4))?.code == .imageFrames)
            #expect(try refusal(kind, "a.png", ImageForge.png().dropLast())?.code == .imageDamaged)
            let polyglot = ImageForge.png() + ZipForge().file("a").build()
            #expect(try refusal(kind, "a.png", polyglot)?.code == .imageTrailing)
            #expect(try refusal(kind, "a.svg", ImageForge.svg("<script/>"))?.code == .svgActive)
        }
    }

    @Test(arguments: [
        ("<theme>", "xml.malformed"), ("<!DOCTYPE theme [<!ENTITY a 'b'>]><theme/>", "xml.doctype"),
        ("<theme>&a;</theme>", "xml.entity"), ("<theme>\u{E9}</theme><theme/>", "xml.malformed"),
        ("<theme xmlns:h='http://www.w3.org/1999/xhtml'><h:script/></theme>", "content.file-type"),
        ("<?xml-stylesheet href='a.xsl'?><theme/>", "content.file-type"),
        (
            "<!--\(String(repeating: "a", count: 5000))--><svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
            "content.file-type"
        ),
    ])
    func `invalid XML is rejected`(document: String, code: String) throws {
        for kind in [SkinKind(), EmojiKind()] as [any ContentKind] {
            let error = try refusal(kind, "chat.xml", document)
            #expect(
                error?.code.rawValue == code && error?.message.contains("'chat.xml'") == true,
                "\(error?.message ?? "")")
        }
    }
}
