import FoundationEssentials
import StoreTestSupport
import Testing

@testable import StoreModel

@Suite struct StickerReferenceTests {
    private static let store = StoreKey(address: URL(string: "https://store.example/")!)
    private static let hash = SHA256Digest(of: "image".utf8)

    private func make(
        _ store: StoreKey = store, product: String = "org.example.cups", version: String? = "1.0.0",
        sticker: String = "smile", emoji: String = "🙂"
    ) -> StickerReference? {
        StickerReference(
            store: store, productIdentifier: product, version: version, sticker: sticker, sha256: Self.hash,
            emoji: emoji)
    }

    @Test func `the text of a reference is frozen`() throws {
        let reference = try #require(make())
        #expect(
            reference.text == "sticker1~arGvaKRdbgMpl3dAlB8V6mGYX4nFG6deI0KUnK1TAZh8~"
                + "YQXWzHavQAMl6U1YjOURvlv9u3O0N9xR7KQ5F9ekPj0~org.example.cups~1.0.0~smile~_F0_9F_99_82")
        #expect(!reference.text.contains("store.example"))
        #expect(StickerReference(text: reference.text) == reference)
    }

    @Test func `a text needs no escaping in a URL, in XML or in JSON`() throws {
        let reference = try #require(
            make(.root(Self.hash), product: "a b/ü~_%", version: nil, sticker: "<&\"'>", emoji: "👩🏽‍🚀"))
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        #expect(reference.text.utf8.allSatisfy(allowed.contains))
        #expect(StickerReference(text: reference.text) == reference)
    }

    @Test func `random references survive the text, and no two have the same`() throws {
        var random = SeededGenerator(seed: 16)
        var texts: Set<String> = []
        let pieces = ["a", "Z", "0", ".", "-", "_", "~", "%", "/", " ", "ü", "😂", "\u{200D}", "字", "__", "_4"]
        func text(_ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
        }
        for _ in 0..<2_000 {
            let digest = SHA256Digest(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
            let reference = try #require(
                StickerReference(
                    store: Bool.random(using: &random) ? .root(digest) : .address(digest),
                    productIdentifier: text(1...6), version: Bool.random(using: &random) ? text(1...3) : nil,
                    sticker: text(1...6), sha256: digest, emoji: text(0...3)))
            #expect(StickerReference(text: reference.text) == reference)
            texts.insert(reference.text)
        }
        #expect(texts.count == 2_000)
    }

    @Test func `a text with any byte changed is another reference or none`() throws {
        let reference = try #require(make())
        let bytes = Array(reference.text.utf8)
        for index in bytes.indices {
            for byte in UInt8(0x20)...0x7E where byte != bytes[index] {
                var changed = bytes
                changed[index] = byte
                guard let other = StickerReference(text: String(decoding: changed, as: UTF8.self)) else { continue }
                #expect(other != reference && other.text.utf8.elementsEqual(changed))
            }
            #expect(StickerReference(text: String(decoding: bytes[..<index], as: UTF8.self)) != reference)
        }
    }

    @Test func `other texts are refused`() throws {
        let text = try #require(make()).text
        let fields = text.split(separator: "~", omittingEmptySubsequences: false).map(String.init)
        func with(_ index: Int, _ value: String) -> String {
            var changed = fields
            changed[index] = value
            return changed.joined(separator: "~")
        }
        for refused in [
            "", "sticker1~", text + "~", text + "x~y", " " + text, "sticker2" + text.dropFirst(8),
            "STICKER1" + text.dropFirst(8), with(1, "x" + fields[1].dropFirst()), with(1, String(fields[1].dropLast())),
            with(2, fields[2] + "A"), with(2, fields[2].dropLast() + "9"), with(3, ""), with(5, ""), with(3, "a b"),
            with(3, "_61"), with(6, "_f0_9f_99_82"), with(6, "_F0"), with(6, "_F"), with(6, "_"), with(3, "a_0Ab"),
            with(3, "a_7F"), with(6, String(repeating: "a", count: 129)), with(5, String(repeating: "a", count: 2_000)),
        ] { #expect(StickerReference(text: refused) == nil, "\(refused)") }
    }

    @Test(arguments: [
        ("", "", true), ("Look: ", ".", true), ("(", ")", true), ("**", "**", true), ("~~", "~~", true),
        ("_ ", "_", true),
        ("😀", "😀", true), ("\n", "...\n", true), ("x", "", false), ("é", "", false), ("-", "", false), ("_", "", false),
        ("", "%", true), ("", "a", false),
    ])
    func `references are found in a text`(before: String, after: String, isFound: Bool) throws {
        // The reference ends with an escape, so a letter behind it makes another text, which is none.
        let reference = try #require(make())
        let text = before + reference.text + after
        for (unit, start) in [(TextUnit.utf16, before.utf16.count), (.utf8, before.utf8.count)] {
            let spans = StickerReference.spans(in: text, unit: unit)
            let expected = StickerReferenceSpan(
                reference: reference, start: start, end: start + reference.text.utf8.count)
            #expect(spans.filter { $0.reference == reference } == (isFound ? [expected] : []), "\(text)")
        }
    }

    @Test func `several references in a text are in its order`() throws {
        let (first, second) = (try #require(make()), try #require(make(sticker: "wave", emoji: "")))
        let spans = StickerReference.spans(in: "\(first.text) \(second.text), sticker1~none", unit: .scalars)
        #expect(spans.map(\.reference) == [first, second])
        #expect(spans.map(\.emoji) == ["🙂", nil])
    }

    @Test func `names that are too long or have control characters make no reference`() {
        #expect(make(product: String(repeating: "a", count: 2_000)) == nil)
        #expect(make(product: "") == nil && make(version: "") == nil && make(sticker: "") == nil)
        #expect(make(sticker: "a\nb") == nil && make(emoji: "\u{1B}[31m") == nil)
        #expect(make(emoji: "")?.emoji == "")
    }

    @Test(
        arguments: [
            [
                "https://Store.Example", "https://store.example:443/", "HTTPS://store.example/catalogue.json",
                "https://user:secret@store.example/?token=x#y", "https://store.example./a/..",
            ],
            ["http://store.example/a%62/", "http://store.example:80/ab", "http://store.example/./ab/catalogue.json"],
            ["http://[2001:DB8::1]:8080/a", "http://[2001:db8::1]:8080/a/"],
            ["https://store.example/a%2fb", "https://store.example/a%2Fb/"],
        ])
    func `addresses that differ only in form have one key`(addresses: [String]) throws {
        let keys = try addresses.map { StoreKey(address: try #require(URL(string: $0))) }
        let normalized = try addresses.map { StoreKey.normalized(try #require(URL(string: $0))) }
        #expect(Set(keys).count == 1, "\(normalized)")
    }

    @Test func `different addresses have different keys`() throws {
        let addresses = [
            "https://store.example/", "http://store.example/", "https://store.example:8443/", "https://store.example/a",
            "https://store.example/A", "https://other.example/", "https://store.example/other.json",
            "https://store.example/a%2Fb", "https://store.example/a/b", "file:///srv/store", "file:///srv/other",
        ]
        #expect(Set(try addresses.map { StoreKey(address: try #require(URL(string: $0))) }).count == addresses.count)
    }
}
