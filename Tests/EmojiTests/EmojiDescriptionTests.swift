import Foundation
import StoreEmoji
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Descriptions of emoji sets in XML and in directories of images, and what they are refused for.
@Suite struct EmojiDescriptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.directory.put("a.png", Data(ImageForge.png()))
    }

    private func read(_ xml: String) throws -> EmojiSetDescription {
        try folder.directory.put("order.xml", xml)
        return try EmojiSetDescription(xml: "order.xml", in: folder.directory)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `a set that is unpacked and compiled again results in the same bytes`(seed: UInt64) throws {
        let set = try EmojiSetForge.set(seed: seed, count: 40)
        let (text, images) = set.xml()
        for (name, bytes) in images { try folder.directory.put(name, Data(bytes)) }
        #expect(try read(text).compiled() == set.compiled())
    }

    @Test(arguments: [
        ("<emoji/>", "order.xml:1: expected the root element 'emojis', found the element 'emoji'"),
        ("<emojis>\n<emoji/></emojis>", "order.xml:2: expected an element 'category', found the element 'emoji'"),
        ("<emojis>\n\n<category/></emojis>", "order.xml:3: expected the attribute 'name'"),
        (
            "<emojis><category name='a'>\n<emoji unicode='x' image='a.png'/></category></emojis>",
            "order.xml:2: expected code points in hexadecimal, separated by spaces, found unicode=\"x\""
        ),
        (
            "<emojis total='2'><category name='a'><emoji unicode='1F600' image='a.png'/></category></emojis>",
            "order.xml:1: expected the number of emoji, 1, found total=\"2\""
        ),
        ("<emojis total='x'/>", "order.xml:1: expected a number of emoji, found total=\"x\""),
        (
            "<emojis><category name='a'>\n<emoji unicode='1F600'/></category></emojis>",
            "order.xml:2: expected the attribute 'image' or an element 'image'"
        ),
        ("<emojis><category name='a'>text</category></emojis>", "order.xml:1: expected no text"),
    ]) func `a mistake in the description is named with its line and what is expected`(xml: String, message: String) {
        let error = #expect(throws: StoreError.self) { try read(xml) }
        #expect(error?.code == .emojiSource && error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test func `a missing or damaged image is named with the line`() throws {
        func message(_ image: String) -> String? {
            let xml = "<emojis><category name='a'>\n<emoji unicode='1F600' image='\(image)'/></category></emojis>"
            return #expect(throws: StoreError.self) { try read(xml) }?.message
        }
        try folder.directory.put("bad.png", Data(ImageForge.png().dropLast(3)))
        #expect(message("b.png")?.hasPrefix("order.xml:2: could not use the image 'b.png': ") == true)
        #expect(message("bad.png")?.hasPrefix("order.xml:2: could not use the image 'bad.png': ") == true)
        #expect(message("../a.png")?.hasPrefix("order.xml:2: could not use the image '../a.png': ") == true)
    }

    @Test func `a directory of images has the order and the categories of Unicode's list`() throws {
        let list = """
            # group: Smileys & Emotion
            # subgroup: face-smiling
            1F603 ; fully-qualified     # 😃 E0.6 grinning face with big eyes
            1F600 ; fully-qualified     # 😀 E1.0 grinning face
            # subgroup: heart
            2764 FE0F ; fully-qualified # ❤️ E0.6 red heart
            2764 ; unqualified          # ❤ E0.6 red heart
            """
        let images = try TemporaryFolder()
        for name in ["1f600.png", "1f603.png", "1f603.svg", "2764.png", "1f984.png", "notes.txt", "tray.png"] {
            let bytes = name.hasSuffix("svg") ? ImageForge.svg() : ImageForge.png()
            try images.directory.put(name, Data(bytes))
        }
        var ignored: [String] = []
        var set = try EmojiSetDescription(
            imagesIn: images.directory, order: EmojiOrder(testFile: list, file: "emoji-test.txt"),
            ignored: { ignored.append($0) })
        #expect(set.groups.map(\.name) == ["Smileys & Emotion", "other"])
        #expect(set.items.map(\.sequence.text) == ["😃", "😀", "\u{2764}\u{FE0F}", "🦄"])
        #expect(set.items[0].images.map(\.format) == [.png, .svg])
        #expect(set.items[0].texts["en"]?.name == "grinning face with big eyes")
        #expect(ignored == ["notes.txt", "tray.png"])
        let annotations = """
            <?xml version="1.0" encoding="UTF-8" ?>
            <!DOCTYPE ldml SYSTEM "../../common/dtd/ldml.dtd">
            <ldml><identity><language type="pt"/><territory type="PT"/></identity><annotations>
            <annotation cp="❤">amor | coração</annotation><annotation cp="❤" type="tts">coração vermelho</annotation>
            </annotations></ldml>
            """
        set.add(try EmojiAnnotations(Array(annotations.utf8), file: "pt_PT.xml"))
        let names = EmojiNames(name: "coração vermelho", keywords: ["amor", "coração"])
        #expect(set.items[2].texts["pt-PT"] == names && set.items[1].texts["pt-PT"] == nil)
    }

    @Test func `a directory without images of emoji, and other files than the ones of Unicode, are refused`() throws {
        let empty = try TemporaryFolder()
        try empty.directory.put("face.png", Data(ImageForge.png()))
        func code(_ body: () throws -> Void) -> ErrorCode? { #expect(throws: StoreError.self, performing: body)?.code }
        #expect(code { _ = try EmojiSetDescription(imagesIn: empty.directory, order: nil) } == .emojiSource)
        #expect(code { _ = try EmojiOrder(testFile: "", file: "a") } == .emojiSource)
        #expect(code { _ = try EmojiOrder(testFile: "1F600 ; component", file: "a") } == .emojiSource)
        #expect(code { _ = try EmojiOrder(testFile: "# subgroup: a\n1F600 ; odd", file: "a") } == .emojiSource)
        #expect(code { _ = try EmojiAnnotations(Array("<a/>".utf8), file: "a") } == .emojiSource)
        #expect(code { _ = try EmojiAnnotations(Array("<ldml>".utf8), file: "a") } == .xmlMalformed)
    }
}
