import StoreXML
import Testing

@Suite struct XMLEscapingTests {
    /// Returns the value and the content that a parser reads from a document with an escaped text in both places.
    private func read(_ text: String) throws -> [String] {
        var found: [String] = []
        let value = XMLEscaping.attribute(text)
        let document = "<a b='\(value)' c=\"\(value)\">\(XMLEscaping.content(text))</a>"
        try XMLReader().read(Array(document.utf8)) { event in
            switch event {
            case .start(let element): found += [element["b"] ?? "none", element["c"] ?? "none"]
            case .text(let text, _): found.append(text)
            default: break
            }
        }
        return found
    }

    @Test(arguments: [
        #"a & b < c > d " e ' f ]]> g &amp; <!-- <![CDATA["#, "tab\t, lines\n\r\n\r, \u{85} \u{2028}",
        "日本 😀 é \u{FFFD}\u{D7FF}\u{E000}",
    ])
    func `an escaped text is read unchanged as content and as a value`(text: String) throws {
        #expect(try read(text) == [text, text, text])
    }

    @Test func `characters that XML can't contain are replaced`() throws {
        let text = "a\u{0}b\u{1}c\u{1B}d\u{FFFE}e\u{FFFF}f\u{10FFFF}"
        let readable = "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}f\u{10FFFF}"
        #expect(try read(text) == [readable, readable, readable])
    }
}
