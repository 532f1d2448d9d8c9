import FoundationEssentials
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreTerminal

@Suite struct TerminalTextTests {
    @Test func `control characters are replaced`() {
        #expect("a\u{1B}[31mb\u{07}\u{9B}c\u{7F}".displayable == "a�[31mb��c�")
        #expect("line\nbreak\tand\r\u{2028}more".displayable == "line break and  more")
        #expect("exe\u{202E}gnp.zip\u{2066}".displayable == "exe�gnp.zip�")
        #expect("Chávenas 🙂 茶碗 👩‍👩‍👧".displayable == "Chávenas 🙂 茶碗 👩‍👩‍👧")
    }

    /// Checks 2,000 random names.
    @Test func `no control character is printed`() {
        var generator = SeededGenerator(seed: 20_260_101)
        for _ in 0..<2000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<20 { text.append(Unicode.Scalar(UInt32.random(in: 0..<0x2100, using: &generator)) ?? "x") }
            let shown = String(text).displayable
            let bad = shown.unicodeScalars.filter { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
            #expect(bad.isEmpty, "seed 20260101: \(text.map(\.value))")
        }
    }

    @Test(arguments: [
        ("abc", 3), ("", 0), ("茶碗", 4), ("🙂", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("❤", 1), ("🇵🇹", 2), ("e\u{301}", 1), ("ｗ", 2),
        ("한국", 4), ("\u{200B}", 0),
    ])
    func `the width of text is counted in columns`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test func `text is truncated at a column, not inside a character`() {
        #expect("abcdef".cut(to: 6) == "abcdef")
        #expect("abcdef".cut(to: 4) == "abc…")
        #expect("茶碗茶碗".cut(to: 4) == "茶…")
        #expect("茶碗".cut(to: 1) == "…")
        #expect("a".cut(to: 0) == "")
        for width in 0...12 { #expect("a茶b🙂碗cdef".cut(to: width).columns <= width) }
    }

    @Test func `columns are aligned for wide characters`() {
        var table = Table([.init(title: "NAME"), .init(title: "SIZE", right: true), .init(title: "NOTE")])
        table.add("茶碗", "1 kB", "a")
        table.add("cups", "900 MB", "")
        #expect(table.lines(width: nil) == ["NAME    SIZE  NOTE", "茶碗    1 kB  a", "cups  900 MB  "])
    }

    @Test func `the widest flexible column is narrowed`() {
        var table = Table([
            .init(title: "ID", flexible: true), .init(title: "KIND"), .init(title: "NAME", flexible: true),
        ])
        table.add("org.example.averylongname", "sticker", "A pack of cups")
        let lines = table.lines(width: 40)
        #expect(lines.allSatisfy { $0.columns <= 40 })
        #expect(lines[1].contains("sticker"))
        #expect(lines[1].hasPrefix("org."))
        #expect(table.lines(width: nil)[1] == "org.example.averylongname  sticker  A pack of cups")
    }

    @Test(arguments: [
        (100, "org.example.averylongname  A pack of cups  sticker  updatable"),
        (60, "org.example.averylongname  A pack of cu…  sticker  updatable"),
        (50, "org.example.averylongname  A pack of c…  updatable"),
        (45, "org.example.averylongname  A pack …  updatab…"), (44, "org.example.averylongname  A pack of cups"),
        (35, "org.example.averylongname  A pack …"), (34, "org.example.averylongname"),
        (10, "org.example.averylongname"),
    ])
    func `identifiers are never truncated, names are first, then columns are left out`(width: Int, row: String) {
        var table = Table([
            .identifier(title: "ID"), .init(title: "NAME", flexible: true, omission: 2),
            .init(title: "KIND", omission: 0), .init(title: "NOTES", flexible: true, omission: 1),
        ])
        table.add("org.example.averylongname", "A pack of cups", "sticker", "updatable")
        let lines = table.lines(width: width)
        #expect(lines[1] == row)
        #expect(lines[0].hasPrefix("ID") && lines[0].columns <= max(width, 2))
    }

    @Test(arguments: [40, 80])
    func `an empty column is left out on a terminal`(width: Int) {
        var table = Table([
            .identifier(title: "ID"), .init(title: "NAME", flexible: true, omission: 1),
            .init(title: "NOTES", flexible: true, omission: 0), .init(title: "PATH"),
        ])
        table.add("org.example.cups", "Cups", "", "")
        #expect(table.lines(width: width) == ["ID                NAME  PATH", "org.example.cups  Cups  "])
        #expect(table.lines(width: nil)[0] == "ID                NAME  NOTES  PATH", "programs always get all columns")
        table.add("org.example.dogs", "Dogs", "held", "")
        #expect(table.lines(width: width)[0] == "ID                NAME  NOTES  PATH")
    }

    @Test(arguments: [
        (40, ["A description that is longer than a", "terminal of forty columns and than one", "of eighty."]),
        (80, ["A description that is longer than a terminal of forty columns and than one of", "eighty."]),
        (nil, ["A description that is longer than a terminal of forty columns and than one of eighty."]),
    ])
    func `text is wrapped at words`(width: Int?, lines: [String]) {
        #expect(lines.joined(separator: " ").wrapped(to: width) == lines)
    }

    @Test func `wrapped lines are indented, and long words are not broken`() {
        #expect("  one two three".wrapped(to: 8) == ["  one", "  two", "  three"])
        #expect("Name:  one two".wrapped(to: 12, indentation: 7) == ["Name:  one", "      two"])
        #expect("see https://example.org/a now".wrapped(to: 10) == ["see", "https://example.org/a", "now"])
        #expect("茶碗 茶碗 茶碗".wrapped(to: 9) == ["茶碗 茶碗", "茶碗"])
        #expect("".wrapped(to: 4) == [""] && "      ".wrapped(to: 4) == ["    " + "  "])
        for width in 1...40 { #expect("a b c d e f".wrapped(to: width).allSatisfy { $0.columns <= max(width, 1) }) }
    }

    @Test(arguments: [
        ("hint: run 'storectl verify --repair cups'", ["hint: run", "'storectl verify --repair cups'"]),
        ("hint: run ('a b c d e f g h i'), then", ["hint: run", "('a b c d e f g h i'),", "then"]),
        // An apostrophe, a quotation of one word, and one that does not end.
        ("the store's pack can't be read", ["the store's pack", "can't be read"]),
        ("'a', 'b' or the third 'c'.", ["'a', 'b' or the", "third 'c'."]),
        ("'a b c d e f g h i j k l", ["'a b c d e f g h", "i j k l"]),
        ("' and ' are two", ["' and ' are two"]),
    ])
    func `a command in a message is not broken`(text: String, lines: [String]) {
        #expect(text.wrapped(to: 16, keepsQuotations: true) == lines)
    }

    @Test func `a negative number is an argument, or the value of the option before it`() {
        #expect(NegativeNumbers.separated(["price", "s", "a", "-5 EUR"]) == ["price", "s", "a", "--", "-5 EUR"])
        #expect(NegativeNumbers.separated(["serve", "--port", "-1", "-h"]) == ["serve", "--port", "-1", "-h"])
        #expect(NegativeNumbers.separated(["a", "-1", "b", "--", "-x"]) == ["a", "b", "--", "-1", "-x"])
    }

    @Test func `a long identifier without a terminal is not padded in the other rows`() {
        var table = Table([.identifier(title: "ID"), .init(title: "NAME")])
        let long = String(repeating: "i", count: 500)
        table.add(long, "A")
        table.add("b", "B")
        #expect(table.lines(width: 80)[1].hasPrefix(long))
        #expect(table.lines(width: 80)[2].utf8.count < 300)
    }

    @Test(arguments: [nil, 80, 300])
    func `a very long cell is not repeated as spaces in the other rows`(width: Int?) {
        var table = Table([
            .init(title: "ID", flexible: true), .init(title: "NAME", flexible: true), .init(title: "KIND"),
        ])
        let long = String(repeating: "n", count: 50_000)
        table.add("a", long, "sticker")
        for number in 0..<500 { table.add("b\(number)", "cups", "sticker") }
        let lines = table.lines(width: width)
        #expect(lines[1].contains(long) == (width == nil), "without a terminal nothing is truncated")
        let others = lines.dropFirst(2)
        #expect(others.allSatisfy { $0.utf8.count <= 320 && $0.contains("cups") && $0.hasSuffix("sticker") })
        #expect(Set(others.map(\.utf8.count)).count == 1, "they are aligned")
    }

    @Test func `cells contain no escape sequences`() {
        var table = Table([.init(title: "NAME")])
        table.add("\u{1B}]0;owned\u{07}")
        #expect(!table.lines(width: nil)[1].unicodeScalars.contains("\u{1B}"))
    }

    @Test func `JSON contains no control characters`() {
        #expect(escapingControlCharacters("{\"a\":\"x\u{9B}y\u{7F}\"}") == "{\"a\":\"x\\u009by\\u007f\"}")
        #expect(escapingControlCharacters("{\"a\":\"é\"}") == "{\"a\":\"é\"}")
    }

    @Test func `lines are only redrawn on a capable terminal`() {
        #expect(TerminalOutput(descriptor: 2, environment: ["TERM": "xterm"], isTerminal: true).canRedraw)
        #expect(!TerminalOutput(descriptor: 2, environment: ["TERM": "dumb"], isTerminal: true).canRedraw)
        #expect(!TerminalOutput(descriptor: 2, environment: ["TERM": "xterm"], isTerminal: false).canRedraw)
    }
}

@Suite struct InlineImagesTests {
    private static let png = Data(
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 9000))

    @Test func `the protocol is detected from the environment`() {
        #expect(InlineImages(environment: ["TERM": "xterm-kitty"], isTerminal: true) == .kitty)
        #expect(InlineImages(environment: ["TERM_PROGRAM": "iTerm.app", "TERM": "xterm"], isTerminal: true) == .inline)
        #expect(InlineImages(environment: ["TERM": "xterm"], isTerminal: true) == .none)
        #expect(InlineImages(environment: ["TERM": "xterm-kitty"], isTerminal: false) == .none)
        #expect(InlineImages(environment: ["TERM": "tmux", "KITTY_WINDOW_ID": "1"], isTerminal: true) == .none)
    }

    @Test func `kitty gets chunks that say whether more follow`() throws {
        let sequence = try #require(InlineImages.kitty.sequence(for: Self.png))
        let pieces = sequence.split(separator: "\u{1B}\\").filter { $0.hasPrefix("\u{1B}_G") }
        #expect(pieces.count == 3)
        #expect(pieces[0].hasPrefix("\u{1B}_Ga=T,f=100,r=10,q=2,m=1;"))
        #expect(pieces[1].hasPrefix("\u{1B}_Gm=1;") && pieces[2].hasPrefix("\u{1B}_Gm=0;"))
        let encoded = pieces.map { $0.drop { $0 != ";" }.dropFirst() }.joined()
        #expect(Data(base64Encoded: encoded) == Self.png)
    }

    @Test func `kitty only accepts PNG`() {
        #expect(InlineImages.kitty.sequence(for: Data("GIF89a".utf8)) == nil)
        #expect(InlineImages.inline.sequence(for: Data("GIF89a".utf8))?.contains("inline=1") == true)
    }
}
