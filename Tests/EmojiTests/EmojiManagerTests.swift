import FoundationEssentials
import StoreEmoji
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// The emoji of installed sets, and their images.
@Suite struct EmojiManagerTests {
    private let home: TemporaryFolder
    private let emoji: EmojiManager
    private var packs: Directory { get throws { try home.directory.openDirectory("packs") } }

    init() async throws {
        home = try TemporaryFolder()
        let library = try await Library.open(data: home.path, kinds: ContentKinds([EmojiKind()]))
        emoji = EmojiManager(library: library)
    }

    private func image(_ number: Int, of set: String) async throws -> [UInt8] {
        Array(try await emoji.image(number, of: set).data)
    }

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <emojis total="4">
          <category name="smileys">
            <emoji unicode="1F600" image="u1f600.png"/>
            <emoji unicode="1F601" image="missing.png"/>
          </category>
          <category name="flags">
            <emoji unicode="1F1E9 1F1EA" image="in/flag.png"/>
            <emoji unicode="not a number" image="u1f600.png"/>
          </category>
        </emojis>
        """

    @Test func `the XML file determines the order, the categories and the images of a set`() async throws {
        try packs.put("faces.emoji/in/flag.png", Data(ImageForge.png(2, 1)))
        try packs.put("faces.emoji/u1f600.png", Data(ImageForge.png()))
        try packs.put("faces.emoji/unused.png", Data(ImageForge.png()))
        try packs.put("faces.emoji/a-settings.xml", "<settings/>")
        try packs.put("faces.emoji/order.xml", Self.list)
        try packs.put(
            "faces.emoji/pack.json",
            #"{"productIdentifier":"org.example.faces","name":"Faces","publisher":"Example","license":"CC0-1.0","version":"1"}"#
        )
        let set = try await emoji.set("org.example.faces")
        #expect(set.name.text() == "Faces" && set.publisher == "Example" && set.license == "CC0-1.0")
        #expect(set.path == home.path + "/packs/faces.emoji" && set.count == 2 && set.operation == nil)
        #expect(
            set.emoji == [
                Emoji(text: "😀", category: "smileys", file: "u1f600.png"),
                Emoji(text: "🇩🇪", category: "flags", file: "in/flag.png"),
            ])
        #expect(try await emoji.sets() == [set])
        #expect(try await image(1, of: "org.example.faces") == ImageForge.png(2, 1))
        #expect(try await emoji.image(0, of: "org.example.faces").mediaType == "image/png")
    }

    @Test(arguments: [true, false])
    func `images of a compiled file are returned, with the categories of the XML file`(little: Bool) async throws {
        let compiled = CompiledEmojiForge.file(
            [
                .init(codePoints: [0x2764], category: 1, image: ImageForge.gif()),
                .init(codePoints: [0x1F601], category: 0, image: ImageForge.png(3, 3)),
                .init(codePoints: [0x1F1F5, 0x1F1F9], category: 7, image: ImageForge.png(4, 4)),
            ], little: little)
        try packs.put("faces.emoji/u1f600.png", Data(ImageForge.png()))
        try packs.put("faces.emoji/order.xml", Self.list)
        try packs.put("faces.emoji/set.bin", Data(compiled))
        let set = try await emoji.set("faces")
        #expect(
            set.emoji == [
                Emoji(text: "😀", category: "smileys", file: "u1f600.png"), Emoji(text: "😁", category: "smileys"),
                Emoji(text: "\u{2764}", category: "flags"), Emoji(text: "🇵🇹"),
            ])
        #expect(try await image(0, of: "faces") == ImageForge.png())
        #expect(try await image(1, of: "faces") == ImageForge.png(3, 3))
        #expect(try await image(3, of: "faces") == ImageForge.png(4, 4))
        let heart = try await emoji.image(2, of: "faces")
        #expect(Array(heart.data) == ImageForge.gif() && heart.mediaType == "image/gif")
    }

    @Test func `without an XML file and a compiled one, the names of images say which emoji they are`() async throws {
        let names = [
            "1f600.png", "emoji_u0023-20e3.png", "u1f1e9_1f1ea.webp", "face.png", "notes.txt", "tray.png",
            "1f601.png.bak",
        ]
        for name in names { try packs.put("mine.emoji/" + name, Data(ImageForge.png())) }
        let set = try await emoji.set("mine")
        #expect(set.emoji.map(\.text) == ["😀", "#\u{20E3}", "🇩🇪"])
        #expect(set.emoji.map(\.file) == Array(names.prefix(3)))
    }

    @Test func `an emoji that a set does not have, and a set that is not installed, are errors`() async throws {
        try packs.put("mine.emoji/1f600.png", Data(ImageForge.png()))
        try packs.put("mine.emoji/1f601.png", "no image")
        #expect(await failure { _ = try await emoji.image(2, of: "mine") } == .servedFileMissing)
        #expect(await failure { _ = try await emoji.image(1, of: "mine") } == .imageUnknown)
        #expect(await failure { _ = try await emoji.set("none") } == .packMissing)
        #expect(await failure { _ = try await emoji.image(0, of: "none") } == .packMissing)
    }

    @Test func `a list that leads out of the set's directory, and damaged files, have no effect`() async throws {
        try home.directory.put("outside.png", Data(ImageForge.png()))
        try packs.put("bad.emoji/1f600.png", Data(ImageForge.png()))
        try packs.put(
            "bad.emoji/order.xml",
            #"<emojis><emoji unicode="1F601" image="../../outside.png"/><emoji unicode="1F602" image="/etc/hosts"/></emojis>"#
        )
        try packs.put("bad.emoji/cut.xml", "<emojis><emoji")
        var compiled = CompiledEmojiForge.file([.init(codePoints: [0x1F603], image: ImageForge.png())])
        compiled.removeLast()
        try packs.put("bad.emoji/set.bin", Data(compiled))
        #expect(try await emoji.set("bad").emoji == [Emoji(text: "😀", file: "1f600.png")])
    }
}
