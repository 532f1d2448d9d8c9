import StoreModel
import StoreTestSupport
import Testing

@Suite struct PackDirectoryNameTests {
    @Test(arguments: [
        ("org.example.cups", "org.example.cups"),
        ("A-z_0.9", "A-z_0.9"),
        (".hidden", "%2Ehidden"),
        ("..", "%2E."),
        ("../../x", "%2E.%2F..%2Fx"),
        ("a/b", "a%2Fb"),
        ("a b", "a%20b"),
        ("50%", "50%25"),
        ("~", "%7E"),
        ("\0", "%00"),
        ("Chávena", "Ch%C3%A1vena"),
        ("🙂", "%F0%9F%99%82"),
    ])
    func `a name is the identifier, escaped where necessary`(identifier: String, name: String) {
        #expect(PackDirectoryName(productIdentifier: identifier).text == name)
    }

    @Test func `a name of more than 200 bytes is shortened`() {
        let plain = String(repeating: "a", count: 200)
        #expect(PackDirectoryName(productIdentifier: plain).text == plain)

        let long = String(repeating: "a", count: 300)
        let expected = String(repeating: "a", count: 120) + "~" + SHA256Digest(of: long.utf8).hex
        #expect(PackDirectoryName(productIdentifier: long).text == expected)

        // The escaped length counts: 60 emoji have 240 bytes, and 720 when escaped.
        let emoji = String(repeating: "🙂", count: 60)
        let shortened = PackDirectoryName(productIdentifier: emoji).text
        #expect(shortened.hasPrefix(String(repeating: "%F0%9F%99%82", count: 10) + "~"))
        #expect(shortened.utf8.count == 185)
    }

    @Test func `a name is always one safe path component`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-%~")
        for _ in 0..<2000 {
            let name = PackDirectoryName(productIdentifier: randomIdentifier(&random)).text
            #expect(!name.isEmpty && name != "." && name != ".." && !name.hasPrefix("."), "seed \(seed)")
            #expect(name.utf8.count <= 200 && name.allSatisfy(plain.contains), "seed \(seed)")
        }
    }

    @Test func `identifiers with different bytes have different names`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var byName: [String: [UInt8]] = [:]
        for _ in 0..<5000 {
            let identifier = randomIdentifier(&random)
            let name = PackDirectoryName(productIdentifier: identifier).text
            if let other = byName[name] { #expect(other == Array(identifier.utf8), "seed \(seed)") }
            byName[name] = Array(identifier.utf8)
        }
        // Two spellings of the same letter, which Swift compares as equal.
        #expect(
            PackDirectoryName(productIdentifier: "\u{E9}").text != PackDirectoryName(productIdentifier: "e\u{301}").text
        )
    }

    /// Returns a random identifier of few different characters, so that many are similar.
    private func randomIdentifier(_ random: inout SeededGenerator) -> String {
        let alphabet = ["a", "A", ".", "/", "%", "2", "E", "~", "_", "-", "é", "🙂", "\u{301}", "\n"]
        let length = Int.random(in: 1...(Bool.random(using: &random) ? 6 : 260), using: &random)
        return (0..<length).map { _ in alphabet.randomElement(using: &random)! }.joined()
    }
}
