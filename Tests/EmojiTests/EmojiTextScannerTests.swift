import StoreEmoji
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// Where emoji, emoticons and shortcodes are in texts.
@Suite struct EmojiTextScannerTests {
    private func found(_ text: String, _ scanner: EmojiTextScanner = EmojiTextScanner()) -> [String] {
        scanner.spans(in: text, unit: .scalars).map { "\($0.text)=\($0.emoji)" }
    }

    @Test(arguments: [
        ("Hello :-) there", [":-)=🙂"]), (":)", [":)=🙂"]), ("(:", ["(:=🙂"]), (":smile: :)", [":smile:=😄", ":)=🙂"]),
        (">:-( no", [">:-(=😠"]), ("<3 </3", ["<3=❤️", "</3=💔"]), (":+1:", [":+1:=👍"]), ("ok :).", [":)=🙂"]),
        (":'(", [":'(=😢"]), (":smile:smile:", [":smile:=😄"]), ("o/ \\o/", ["o/=👋", "\\o/=🙌"]),
    ]) func `shortcuts are found, the longest first`(text: String, expected: [String]) {
        #expect(found(text) == expected)
    }

    @Test(arguments: [
        "http://example.org", "https://a.b/:/x", "10:30:45", "a:)", "C:\\x", "note:(see below)", ":unknown:", "::", ":",
        "std::string", ":SMILE:", "1 2 3 # *", "© ® ™", "a:smile:", "\u{2764}\u{FE0E}", "☺", "8) item",
    ]) func `ordinary text has none`(text: String) { #expect(found(text) == []) }

    @Test func `each name between colons is looked up once in a text`() {
        let names = Mutex<[String]>([])
        let scanner = EmojiTextScanner(shortcode: { name in
            names.withLock { $0.append(name) }
            return nil
        })
        #expect(scanner.spans(in: String(repeating: ":a_:b_", count: 1_000), unit: .utf8).isEmpty)
        #expect(names.withLock { $0.sorted() } == ["a_", "b_"])
    }

    @Test(arguments: [
        "😀", "👍🏽", "👍🏽\u{FE0F}", "👩🏽\u{FE0F}\u{200D}🌾", "👩‍🌾", "👩🏿‍❤️‍💋‍👨🏻", "🇩🇪", "#️⃣", "1\u{20E3}", "❤️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏳️‍🌈", "👨‍👩‍👧‍👦", "🏽", "⌚", "👁‍🗨",
    ]) func `an emoji is found whole, alone and between others`(emoji: String) {
        #expect(found(emoji) == ["\(emoji)=\(emoji)"])
        #expect(found("a\(emoji)\(emoji) 😀") == ["\(emoji)=\(emoji)", "\(emoji)=\(emoji)", "😀=😀"])
    }

    @Test func `a joined sequence that a set lacks is found as its parts`() {
        let scanner = EmojiTextScanner(hasImage: { ["👨", "👩", "👧", "👨‍👩"].contains($0.text) })
        #expect(found("👨‍👩‍👧", scanner) == ["👨‍👩=👨‍👩", "👧=👧"])
        #expect(found("👧‍👧", scanner) == ["👧=👧", "👧=👧"])
        #expect(found("🐶‍🐱", scanner) == ["🐶‍🐱=🐶‍🐱"])
    }

    @Test func `names of a set are shortcodes`() {
        let scanner = EmojiTextScanner(shortcode: { $0 == "grinning_cat" ? "😺" : nil })
        #expect(found(":grinning_cat: :smile:", scanner) == [":grinning_cat:=😺"])
    }

    @Test func `positions are counted in the unit of the request`() {
        let text = "é👍🏽 :-)"
        func ranges(_ unit: TextUnit) -> [Range<Int>] {
            EmojiTextScanner().spans(in: text, unit: unit).map { $0.start..<$0.end }
        }
        #expect(ranges(.scalars) == [1..<3, 4..<7])
        #expect(ranges(.utf16) == [1..<5, 6..<9])
        #expect(ranges(.utf8) == [2..<10, 11..<14])
    }

    @Test(arguments: 1...300 as ClosedRange<UInt64>)
    func `spans are in order, do not overlap, and their text is at their positions`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parts = [
            ":", ")", "-", ":-)", ":smile:", "😀", "👩", "\u{200D}", "🌾", "\u{FE0F}", "\u{FE0E}", "🏽", "🇩", "🇪", "1",
            "\u{20E3}",
            " ", "a", "é", "\u{E0067}", "\u{E007F}", "🏴", "<3", "/", "\n", "_", "e\u{301}",
        ]
        let text = (0..<Int.random(in: 0...40, using: &generator)).map { _ in parts.randomElement(using: &generator)! }
            .joined()
        for unit in TextUnit.allCases {
            let spans = EmojiTextScanner().spans(in: text, unit: unit)
            var end = 0
            for span in spans {
                #expect(span.start >= end && span.end > span.start)
                end = span.end
                let found: String? =
                    switch unit {
                    case .utf8: String(validating: Array(text.utf8)[span.start..<span.end], as: UTF8.self)
                    case .utf16: String(validating: Array(text.utf16)[span.start..<span.end], as: UTF16.self)
                    case .scalars:
                        String(String.UnicodeScalarView(Array(text.unicodeScalars)[span.start..<span.end]))
                    }
                #expect(found.map { Array($0.unicodeScalars) } == Array(span.text.unicodeScalars))
                #expect(span.kind != .emoji || span.emoji == span.text)
            }
        }
    }
}
