import FoundationEssentials
import StoreImages
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreEmoji

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

    @Test func `an image of an emoji that is not listed belongs to no other`() async throws {
        for name in ["a.png", "b.png"] { try packs.put("faces.emoji/" + name, Data(ImageForge.png())) }
        try packs.put(
            "faces.emoji/order.xml",
            #"""
            <emojis>
              <emoji unicode="1F600"/>
              <emoji unicode="zz"><image file="a.png"/></emoji>
              <emoji unicode="1F601"><image file="b.png"/></emoji>
            </emojis>
            """#)
        #expect(try await emoji.set("faces").emoji == [Emoji(text: "😁", file: "b.png")])
    }

    @Test func `a large compiled file is mapped in a managed set, and ignored in another`() throws {
        let item = EmojiSetDescription.Item(
            sequence: try #require(EmojiSequence(text: "😀")), images: [try EmojiImage(ImageForge.png())])
        let compiled = try EmojiSetDescription(groups: [.init(name: "a", subgroups: [.init(emoji: [item])])]).compiled()
        func count(size: Int, isManaged: Bool) throws -> Int {
            var bytes = compiled
            for place in 0..<8 { bytes[16 + place] = UInt8(truncatingIfNeeded: size >> (8 * place)) }
            EmojiFileSeal.seal(&bytes)
            let file = try packs.createDirectory("large.emoji").createFile("\(size)-\(isManaged)")
            try file.write(Data(bytes))
            // Without blocks on the disk.
            try file.truncate(to: size)
            let directory = try packs.openDirectory("large.emoji")
            defer { try? directory.remove("\(size)-\(isManaged)") }
            return try EmojiSetReader(directory: directory, limits: ImageLimits(), isManaged: isManaged).entries().count
        }
        let limit = EmojiSetReader.maximumUnmanagedSize
        #expect(try count(size: limit, isManaged: false) == 1)
        #expect(try count(size: limit + 1, isManaged: false) == 0)
        #expect(try count(size: EmojiFileLayout.maximumSize, isManaged: true) == 1)
    }

    // MARK: Looking up

    private func picture(_ text: String, _ set: String) async throws -> EmojiPicture {
        try await emoji.picture(of: try #require(EmojiSequence(text: text)), in: set)
    }

    @Test(arguments: ["format 2", "format 1", "XML", "images"])
    func `an emoji is found by its sequence in each form of a set`(form: String) async throws {
        let images = ["1f600": ImageForge.png(), "2764-fe0f": ImageForge.gif(), "1f44d": ImageForge.png(2, 2)]
        let items = try ["1F600", "2764 FE0F", "1F44D"].map { points in
            let sequence = try #require(EmojiSequence(hexadecimal: points))
            return EmojiSetDescription.Item(
                sequence: sequence, images: [try EmojiImage(try #require(images[sequence.fileStem]))],
                texts: points == "1F600" ? ["en": EmojiNames(name: "grinning face", keywords: ["smile"])] : [:])
        }
        let set = EmojiSetDescription(groups: [.init(name: "all", subgroups: [.init(emoji: items)])])
        switch form {
        case "format 2": try packs.put("one.emoji/set.bin", Data(set.compiled()))
        case "format 1": try packs.put("one.emoji/set.bin", Data(EmojiFormatOne.write(set)))
        case "XML":
            let (text, files) = set.xml()
            try packs.put("one.emoji/order.xml", text)
            for (name, bytes) in files { try packs.put("one.emoji/" + name, Data(bytes)) }
        default: for (name, bytes) in images { try packs.put("one.emoji/\(name).png", Data(bytes)) }
        }
        let face = try await picture("😀", "one")
        #expect(face.emoji == "😀" && Array(face.data) == ImageForge.png() && face.mediaType == "image/png")
        for heart in ["\u{2764}", "\u{2764}\u{FE0F}", "\u{2764}\u{FE0E}"] {
            #expect(try await picture(heart, "one").mediaType == "image/gif")
        }
        // Without the tone, because the set has none.
        #expect(try await picture("👍🏽", "one").emoji == "👍")
        #expect(await failure { _ = try await picture("😁", "one") } == .emojiMissing)
        #expect(await failure { _ = try await picture("😀", "none") } == .emojiSetMissing)
        let categories = try await emoji.categories(of: "one")
        #expect(
            categories.flatMap { $0.subgroups.flatMap(\.emoji) }.sorted() == ["😀", "\u{2764}\u{FE0F}", "👍"].sorted())
        #expect(try await emoji.search("grin", in: "one").map(\.emoji) == ["😀"])
        #expect(try await emoji.search("😀", in: "one", languages: ["pt"]).map(\.emoji) == ["😀"])
        #expect(try await emoji.set("one").count == 3)
        #expect(try await emoji.image(0, of: "one").data.isEmpty == false)
    }

    @Test func `without a set in use, lookups are refused, and texts have no images`() async throws {
        #expect(await emoji.use() == EmojiUse(set: nil, chosen: nil))
        #expect(await failure { _ = try await emoji.categories() } == .emojiSetMissing)
        #expect(await emoji.spans(in: "a :-)", unit: .utf8).map(\.image) == [nil])
    }

    @Test func `a chosen set that is not installed is reported, and used when it is`() async throws {
        let library = try await Library.open(data: home.path, kinds: ContentKinds([EmojiKind()]))
        let emoji = EmojiManager(library: library) { "my faces" }
        let missing = await emoji.use()
        #expect(missing.set == nil && missing.chosen == "my faces" && missing.problem?.code == .emojiSetMissing)
        #expect(await emoji.spans(in: "😀", unit: .utf8).map(\.image) == [nil])
        let image = try EmojiImage(ImageForge.png())
        let names = EmojiNames(name: "grinning face")
        let item = EmojiSetDescription.Item(
            sequence: try #require(EmojiSequence(text: "😀")), images: [image], texts: ["en": names])
        let set = EmojiSetDescription(groups: [.init(name: "a", subgroups: [.init(emoji: [item])])])
        try packs.put("my faces.emoji/set.bin", Data(set.compiled()))
        #expect(await emoji.use() == EmojiUse(set: "my faces", chosen: "my faces"))
        let spans = await emoji.spans(in: "😀 :grinning_face: :grinning: :cry:", unit: .utf8)
        #expect(spans.map(\.emoji) == ["😀", "😀", "😀", "😢"])
        let path = "/v1/emoji/my%20faces/pictures/1f600"
        #expect(spans.map(\.image) == [path, path, path, nil])
    }

    @Test(.hangGuard) func `a name between colons has to be the whole name of an emoji`() async throws {
        let library = try await Library.open(data: home.path, kinds: ContentKinds([EmojiKind()]))
        let emoji = EmojiManager(library: library) { "faces" }
        let image = try EmojiImage(ImageForge.png())
        let items = try (0..<2_000).map { number in
            EmojiSetDescription.Item(
                sequence: try #require(EmojiSequence(codePoints: [0x1F600, 0x4E00 + UInt32(number)])), images: [image],
                texts: ["en": EmojiNames(name: "a\(number) face", keywords: ["animal"])])
        }
        let set = EmojiSetDescription(groups: [.init(name: "a", subgroups: [.init(emoji: items)])])
        try packs.put("faces.emoji/set.bin", Data(set.compiled()))
        let names = [":a_", ":animal_", ":face_"].map { String(repeating: $0, count: 100_000) }.joined()
        let spans = await emoji.spans(in: names + " :a7_face: :face_a7:", unit: .utf8)
        #expect(spans.map(\.emoji) == [items[7].sequence.text])
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

    @Test func `a compiled file that is cut short while it is opened is none`() {
        let head: [UInt8] = [1, 1, 0, 0, 0]
        #expect(EmojiFormatOneLayout(head: head, size: 100)?.count == 1)
        for length in 0..<head.count {
            #expect(EmojiFormatOneLayout(head: Array(head.prefix(length)), size: 100)?.count == nil)
        }
    }
}
