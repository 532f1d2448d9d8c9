import StoreEmoji
import Testing

/// The code points of emoji: their notations, the variation selectors and skin tones.
@Suite struct EmojiSequenceTests {
    private func sequence(_ text: String) throws -> EmojiSequence { try #require(EmojiSequence(text: text)) }

    @Test func `variation selectors do not make another emoji`() throws {
        let keys = try ["\u{2764}", "\u{2764}\u{FE0F}", "\u{2764}\u{FE0E}"].map { try sequence($0).key }
        #expect(Set(keys) == [[0x2764]])
        #expect(try sequence("#\u{FE0F}\u{20E3}").key == [0x23, 0x20E3])
    }

    @Test(arguments: [
        ("👍🏽", "👍"), ("👩🏿‍🌾", "👩‍🌾"), ("👩🏻‍🤝‍👩🏼", "👭"), ("👨🏿‍🤝‍👨🏽", "👬"), ("👩🏻‍🤝‍👨🏿", "👫"), ("🧑🏻‍🤝‍🧑🏿", "🧑‍🤝‍🧑"),
        ("🧑🏻‍❤️‍🧑🏽", "💑"), ("🧑🏻‍❤️‍💋‍🧑🏽", "💏"), ("👩🏻‍❤️‍👨🏽", "👩‍❤️‍👨"), ("🫱🏻‍🫲🏿", "🤝"),
    ]) func `the emoji without skin tones is the one that Unicode has`(toned: String, plain: String) throws {
        #expect(try sequence(toned).withoutSkinTones?.key == sequence(plain).key)
    }

    @Test func `an emoji without skin tones, and a tone alone, have none to leave out`() throws {
        #expect(try sequence("👍").withoutSkinTones == nil)
        #expect(try sequence("🏽").withoutSkinTones == nil)
    }

    @Test(arguments: [
        ("1f600.png", "😀"), ("1F600.svg", "😀"), ("emoji_u1f468_200d_1f33e.png", "👨‍🌾"), ("1f468-200d-1f33e.png", "👨‍🌾"),
        ("u1f1e9_1f1ea.webp", "🇩🇪"), ("emoji_u0023_20e3.png", "#\u{20E3}"), ("23-fe0f-20e3.png", "#\u{FE0F}\u{20E3}"),
    ]) func `names of image files as published sets use them are read`(name: String, emoji: String) {
        #expect(EmojiSequence(fileName: name)?.text == emoji)
    }

    @Test(arguments: ["face.png", "1f600.txt", "1f600", "1f600.png.bak", "tray.png", "-.png", "110000.png", "d800.png"])
    func `other names are of no emoji`(name: String) { #expect(EmojiSequence(fileName: name) == nil) }

    @Test func `a sequence that is empty, too long or no text is none`() {
        #expect(EmojiSequence(text: "") == nil && EmojiSequence(text: "\u{FE0F}") == nil)
        #expect(EmojiSequence(text: String(repeating: "a", count: 33)) == nil)
        #expect(EmojiSequence(text: "a\n") == nil && EmojiSequence(codePoints: [0xD800]) == nil)
        for text in ["", "1F600,", "G", "1234567", "-1", "+1F600"] {
            #expect(EmojiSequence(hexadecimal: text) == nil, "\(text)")
        }
    }

    @Test func `code points are written and read in hexadecimal`() throws {
        let farmer = try sequence("👨‍🌾")
        #expect(farmer.hexadecimal() == "1F468 200D 1F33E" && farmer.fileStem == "1f468-200d-1f33e")
        #expect(EmojiSequence(hexadecimal: farmer.hexadecimal()) == farmer)
        #expect(try sequence("#").hexadecimal() == "0023")
    }
}
