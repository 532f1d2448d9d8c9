import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCatalogue

/// The words of a search, compared with the standard library's search in strings.
@Suite struct SearchWordTests {
    @Test(arguments: 0..<300 as Range<UInt64>) func `a word occurs where the standard library finds it`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // The last two are the same syllable, in one character and in its parts.
        let letters = ["a", "b", "A", "é", "e\u{301}", "ß", "й", "\u{AC00}", "\u{1100}\u{1161}"]
        func text(_ lengths: ClosedRange<Int>) -> String {
            (0..<Int.random(in: lengths, using: &random)).map { _ in letters.randomElement(using: &random)! }.joined()
        }
        for _ in 0..<50 {
            let (typed, searched) = (text(0...3), SearchText.folded(text(0...12)))
            #expect(
                Array(searched.utf8).withUnsafeBytes { SearchWord(typed).occurs(in: $0) }
                    == (typed.isEmpty || searched.contains(SearchText.folded(typed))),
                "'\(typed)' in '\(searched)'")
        }
    }
}
