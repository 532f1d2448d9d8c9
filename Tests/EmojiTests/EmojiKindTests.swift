import FoundationEssentials
import StoreEmoji
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct EmojiKindTests {
    /// Returns the error with which a set with one compiled file is refused; `nil` if the set is accepted.
    private func refusal(_ file: some Sequence<UInt8>) throws -> StoreError? {
        let set = try TemporaryFolder()
        try set.directory.put("set.bin", Data(file))
        do {
            try EmojiKind().check(set.directory)
            return nil
        } catch {
            return try #require(error as? StoreError, "\(error)")
        }
    }

    /// Returns a file of version 1 with one image for each emoji.
    private func compiled(_ images: [[UInt8]], little: Bool) -> [UInt8] {
        CompiledEmojiForge.file(images.map { .init(codePoints: [0x1F600], image: $0) }, little: little)
    }

    @Test(arguments: [true, false]) func `a compiled file is accepted if all of its images are valid`(little: Bool)
        throws
    {
        let good = compiled([ImageForge.png(), ImageForge.gif()], little: little)
        #expect(try refusal(good) == nil)
        #expect(try refusal(good.dropLast(1))?.code == .emojiDamaged)
        let bad = compiled([ImageForge.png(), Array("MZ".utf8)], little: little)
        #expect(try refusal(bad)?.code == .imageUnknown)
    }

    /// Returns the warnings for the publisher of a set with images of these names.
    private func warnings(_ names: String..., cover: String? = nil) throws -> [String] {
        let set = try TemporaryFolder()
        for name in names { try set.directory.put(name, Data(ImageForge.png())) }
        return try EmojiKind().checkForPublishing(set.directory, pictures: Set([cover].compactMap(\.self)))
    }

    @Test func `a publisher is warned of images that are not shown as an emoji`() throws {
        let advice = "images of emoji have the names of their code points, such as 1f600.png"
        #expect(try warnings("1f600.png", "grin.png") == ["'grin.png' is not shown as an emoji", advice])
        #expect(try warnings("1f600.png").isEmpty)
        #expect(try warnings() == [advice])
        #expect(try warnings("1f600.png", "cover.png", cover: "cover.png").isEmpty)
    }

    @Test func `the XML file on the page about emoji sets is accepted`() throws {
        let path = DocumentedErrorCodes.sources.appending(path: "Emoji/Emoji.docc/EmojiFiles.md")
        let page = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        let start = try #require(page.firstRange(of: "```xml\n")).upperBound
        let end = try #require(page[start...].firstRange(of: "```")).lowerBound
        let set = try TemporaryFolder()
        try set.directory.put("order.xml", String(page[start..<end]))
        try EmojiKind().check(set.directory)
        try set.directory.put("order.xml", String(page[start..<end].dropLast(12)))
        let error = #expect(throws: StoreError.self) { try EmojiKind().check(set.directory) }
        #expect(error?.code == .xmlMalformed)
    }
}
