import Testing

@testable import StoreTerminal

@Suite struct SuggestionTests {
    @Test(
        arguments: [
            ("instal", "install"), ("lsit", "list"), ("serch", "search"), ("unistall", "uninstall"),
            ("Updates", "update"),
            ("remvoe", "remove"), ("uninst", "uninstall"), ("Upd", "update"), ("un", nil), ("xyz", nil), ("l", nil),
            ("", nil), ("uninstallation-of-all-packs", nil),
        ] as [(String, String?)])
    func `a mistyped word means the most similar one`(word: String, meant: String?) {
        let commands = ["install", "uninstall", "list", "ls", "search", "update", "remove"]
        #expect(Suggestion.best(for: word, among: commands) == meant)
    }

    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "ab", 2), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3),
        ("abcd", "badc", 2),
    ])
    func `edits are insertions, deletions, replacements and swaps`(a: String, b: String, count: Int) {
        #expect(Suggestion.edits(Array(a), Array(b)) == count)
        #expect(Suggestion.edits(Array(b), Array(a)) == count)
    }

    private static let identifiers = ["org.example.cups", "org.example.cats", "spoons", "net.example.café"]

    @Test(
        arguments: [
            ("org.example.cupss", "org.example.cups"), ("org.exmaple.cats", "org.example.cats"),
            ("cusp", "org.example.cups"),
            ("ORG.EXAMPLE.CUPS", "org.example.cups"), ("spons", "spoons"), ("net.example.cafe", "net.example.café"),
            // Most characters are equal, but not those of the last part.
            ("org.example.dogs", nil), ("example.cups", nil), ("completely.other", nil), ("", nil),
        ] as [(String, String?)])
    func `a mistyped identifier means one whose parts are all similar`(typed: String, meant: String?) {
        #expect(Suggestion.bestIdentifier(for: typed, among: Self.identifiers) == meant)
    }
}
