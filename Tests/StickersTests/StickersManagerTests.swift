import FoundationEssentials
import Glibc
import StoreDatabase
import StoreLibrary
import StoreModel
import StoreStickerPacks
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreStickers

@Suite struct StickersManagerTests {
    private let home: TemporaryFolder
    private let library: Library
    private let database: LibraryDatabase
    private let stickers: StickersManager
    private var packs: Directory { get throws { try home.directory.openDirectory("packs") } }

    init() async throws {
        home = try TemporaryFolder()
        library = try await Library.open(data: home.path, kinds: ContentKinds([StickerKind(), Hat()]))
        database = try await LibraryDatabase(path: home.path + "/library.sqlite")
        stickers = StickersManager(library: library, database: database)
    }

    private struct Hat: ContentKind {
        let kind = ProductKind(rawValue: "hat")
        let folderExtension = "hat"
    }

    @Test func `an image of an unmanaged pack that was overwritten in place is read again`() async throws {
        try packs.put("own.stickers/a.png", Data(ImageForge.png(1, 2)))
        #expect(try await stickers.pack("own").stickers.map(\.image?.width) == [1])
        let file = open(home.path + "/packs/own.stickers/a.png", O_WRONLY | O_TRUNC)
        let bytes = ImageForge.png(3, 4)
        #expect(write(file, bytes, bytes.count) == bytes.count && close(file) == 0)
        #expect(try await stickers.pack("own").stickers.map(\.image?.width) == [3])
    }

    @Test func `stickers are read from the manifest`() async throws {
        try packs.put("cups.stickers/b.png", "")
        try packs.put("cups.stickers/in/a.webp", "")
        try packs.put("cups.stickers/tray.png", "")
        try packs.put("cups.stickers/unused.png", "")
        try packs.put(
            "cups.stickers/pack.json",
            """
            { "productIdentifier": "org.example.cups", "name": {"en": "Cups", "pt": "Chávenas"}, "version": "1.0.0",
              "publisher": "Example", "license": "CC-BY-4.0", "cover": "tray.png",
              "stickers": [
                { "id": "smile", "file": "b.png", "emoji": ["🙂"], "keywords": ["happy"],
                  "description": {"en": "A cup that smiles"} },
                { "file": "in/a.webp" } ] }
            """)
        let pack = try await stickers.pack("org.example.cups")
        #expect(pack.name.text(in: ["pt"]) == "Chávenas" && pack.version == Version("1.0.0"))
        #expect(pack.publisher == "Example" && pack.license == "CC-BY-4.0" && pack.cover == "tray.png")
        #expect(pack.path == home.path + "/packs/cups.stickers" && pack.count == 2)
        #expect(
            pack.stickers == [
                Sticker(
                    id: "smile", file: "b.png", path: pack.path + "/b.png",
                    url: "/v1/packs/org.example.cups/files/b.png",
                    thumbnail: "/v1/packs/org.example.cups/thumbnails/b.png", emoji: ["🙂"], keywords: ["happy"],
                    description: LocalizedText(byLanguage: ["en": "A cup that smiles"])),
                Sticker(
                    id: "in/a", file: "in/a.webp", path: pack.path + "/in/a.webp",
                    url: "/v1/packs/org.example.cups/files/in/a.webp",
                    thumbnail: "/v1/packs/org.example.cups/thumbnails/in/a.webp"),
            ])
        #expect(try await stickers.packs() == [pack])
    }

    @Test func `without a manifest all images are stickers in natural order`() async throws {
        for name in [
            "10.png", "2.PNG", "1.apng", "a.webp", "b.gif", "c.jpg", "d.jpeg", "e.svg", "notes.txt", "png", "x.png.bak",
            "in/ner.png", ".hidden.png", "._a.webp",
        ] { try packs.put("mine.stickers/" + name, "") }
        try packs.openDirectory("mine.stickers").putLink("3.png", to: "2.PNG")
        let pack = try await stickers.pack("mine")
        #expect(
            pack.stickers.map(\.file) == ["1.apng", "2.PNG", "10.png", "a.webp", "b.gif", "c.jpg", "d.jpeg", "e.svg"])
        #expect(pack.stickers.map(\.id) == ["1", "2", "10", "a", "b", "c", "d", "e"])
        #expect(pack.cover == "1.apng" && pack.name.text() == "mine" && pack.version == nil)
    }

    @Test func `an image whose name is not UTF-8 is not a sticker, because it can't be opened`() async throws {
        for name in ["1.png", "\u{FFFD}\u{FFFD}.png"] { try packs.put("mine.stickers/" + name, "") }
        for byte: UInt8 in [0xFE, 0xFF] {
            try packs.openDirectory("mine.stickers").putFile(named: [byte] + Array(".png".utf8))
        }
        let pack = try await stickers.pack("mine")
        #expect(Set(pack.stickers.map(\.file)) == ["1.png", "\u{FFFD}\u{FFFD}.png"] && pack.count == 2)
    }

    @Test func `an empty identifier counts as none`() async throws {
        try packs.put("mine.stickers/1.png", "")
        try packs.put("mine.stickers/pack.json", #"{"stickers": [{"id": "", "file": "1.png"}]}"#)
        #expect(try await stickers.pack("mine").stickers.map(\.id) == ["1"])
    }

    @Test func `the cover is not a sticker`() async throws {
        for name in ["1.png", "tray.png"] { try packs.put("mine.stickers/" + name, "") }
        try packs.put("mine.stickers/pack.json", #"{"cover": "tray.png"}"#)
        let pack = try await stickers.pack("mine")
        #expect(pack.cover == "tray.png" && pack.stickers.map(\.file) == ["1.png"])
    }

    @Test func `images that only differ in their suffix have distinct identifiers`() async throws {
        for name in ["a.png", "a.webp", "a.png.gif", "b.png"] { try packs.put("mine.stickers/" + name, "") }
        let identifiers = try await stickers.pack("mine").stickers.map(\.id)
        #expect(Set(identifiers) == ["a.png", "a.webp", "a.png.gif", "b"])
    }

    @Test(
        arguments: [
            (#"{"stickers":[{"file":"gone.png"}]}"#, "gone.png"),
            (#"{"stickers":[{"file":"../other.png"}]}"#, "../other.png"),
            (#"{"stickers":[{"file":"link.png"}]}"#, "link.png"),
            (#"{"stickers":[{"file":"folder"}]}"#, "folder"),
            (#"{"stickers":[{"file":""}]}"#, "''"),
            (
                #"{"stickers":[{"id":"x","file":"a.png"},{"id":"x","file":"b.png"}]}"#,
                "identifier 'x' belongs to sticker 1"
            ),
            (#"{"stickers":[{"file":"a.png"},{"file":"a.png"}]}"#, "identifier 'a' belongs to sticker 1"),
            (#"{"stickers":[{"id":"x"}]}"#, "file"),
            (#"{"stickers":"a.png"}"#, "stickers"),
            (#"{"cover":"gone.png"}"#, "gone.png"),
            (#"{"cover":"../other.png","stickers":[{"file":"a.png"}]}"#, "../other.png"),
            ("[", "pack.json"), ("", "pack.json"),
        ])
    func `an invalid manifest is refused with the reason`(information: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        try folder.directory.put("other.png", "")
        let pack = try folder.directory.createDirectory("pack")
        for name in ["a.png", "b.png", "folder/c.png"] { try pack.put(name, Data(ImageForge.png())) }
        try pack.putLink("link.png", to: "a.png")
        try pack.put("pack.json", information)
        let error = #expect(throws: StoreError.self) { try StickerKind().check(pack) }
        #expect(
            error?.code == .badInformation && error?.message.contains(reason) == true, "\(error.map(\.message) ?? "")")

        // An unmanaged pack is not listed, and looking it up reports the reason.
        try packs.put("bad.stickers/pack.json", information)
        try packs.put("good.stickers/a.png", "")
        let shown = try await stickers.packs().map(\.productIdentifier)
        #expect(shown == ["good"])
        await #expect(throws: StoreError.self) { try await stickers.pack("bad") }
    }

    @Test func `packs appear and disappear at run time`() async throws {
        #expect(try await stickers.packs().isEmpty)
        try packs.put("mine.stickers/1.png", "")
        #expect(try await stickers.packs().map(\.count) == [1])
        // A change in an unmanaged directory is seen at once.
        try packs.put("mine.stickers/2.png", "")
        #expect(try await stickers.packs().map(\.count) == [2])
        #expect(try await stickers.pack("mine").count == 2)
        try packs.removeTree("mine.stickers")
        #expect(try await stickers.packs().isEmpty)
        await #expect(throws: StoreError.self) { try await stickers.pack("mine") }
    }

    @Test func `stickers follow updates of their product`() async throws {
        try await install(["1.png": ""], version: "1")
        #expect(try await stickers.pack("cups").count == 1)
        try await install(["1.png": "", "2.png": ""], version: "2")
        #expect(try await stickers.pack("cups").count == 2)
        #expect(try await stickers.packs().map(\.version) == [Version("2")])
        _ = try await library.rollBack("cups", operation: OperationID())
        #expect(try await stickers.pack("cups").count == 1)
        _ = try await library.remove("cups")
        #expect(try await stickers.packs().isEmpty)
    }

    @Test func `an unmanaged pack of the same product shows its own stickers`() async throws {
        try await install(["1.png": ""], version: "1")
        try packs.put("0.stickers/pack.json", #"{"productIdentifier":"cups"}"#)
        for name in ["a.png", "b.png"] { try packs.put("0.stickers/" + name, "") }
        let shown = try await stickers.packs()
        #expect(shown.map(\.stickers.count) == [2, 1])
        #expect(shown.map { $0.stickers[0].file } == ["a.png", "1.png"])
        #expect(try await stickers.pack("cups").stickers.map(\.file) == ["1.png"])
    }

    @Test func `packs of other kinds are excluded`() async throws {
        try packs.put("mine.hat/1.png", "")
        #expect(try await stickers.packs().isEmpty)
        await #expect(throws: StoreError.self) { try await stickers.pack("mine") }
    }

    private func install(_ files: [String: String], version: String) async throws {
        let operation = OperationID()
        let staged = try await library.placement(of: "cups", kind: .sticker, by: operation).stage()
        for (path, text) in files { try staged.directory.put(path, text) }
        let receipt = Receipt(
            operation: operation, store: "main", productIdentifier: "cups", kind: .sticker, name: "Cups",
            version: Version(version), price: .free, installedAt: Date(), dependencies: [],
            archive: .init(address: nil, size: 0, sha256: .init(of: []), etag: nil),
            files: files.map { .init(path: $0.key, size: $0.value.utf8.count, sha256: .init(of: $0.value.utf8)) })
        _ = try await library.commit(staged.addReceipt(receipt))
    }
}
