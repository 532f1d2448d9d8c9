import StoreMessages
import StoreModel
import Testing

@testable import StoreWebPages

/// The page of the stickers as HTML.
@Suite struct StickersPageTests {
    private static let hostile = "<b>\"Cups\"</b>"

    private func pack(_ identifier: String, stickers count: Int = 2, file: String = "a.webp") -> StickerPack {
        StickerPack(
            productIdentifier: identifier, name: LocalizedText(Self.hostile), path: "/packs/\(identifier)", cover: nil,
            stickers: (0..<count).map { number in
                Sticker(
                    id: "s\(number)", file: file,
                    thumbnail: "/v1/packs/\(PathSegment.encode(identifier))/thumbnails/\(file)?operation=1",
                    emoji: ["🙂"],
                    description: LocalizedText(number == 0 ? "A <smile> & \"wink\"" : "Number \(number)"))
            })
    }

    private func installed(_ sticker: String, of pack: String, isFavourite: Bool = false) -> InstalledSticker {
        InstalledSticker(
            productIdentifier: pack, packName: LocalizedText("Cups"), sticker: Sticker(id: sticker, file: "a.webp"),
            favourite: isFavourite)
    }

    private func html(_ results: StickerResults, words: String = "") -> String {
        PageRenderer().html(StickersPage(words: words, results, PageText(.english)), in: .english, sequence: 1)
    }

    private func all(
        _ packs: [StickerPack], recents: [InstalledSticker] = [], favourites: [InstalledSticker] = []
    ) -> String {
        html(StickerResults(packs, recents: recents, favourites: favourites, languages: ["en"], PageText(.english)))
    }

    @Test func `texts of packs and stickers are escaped, and nothing is written for what is missing`() {
        let html = all([pack("org.example.cups")])
        #expect(html.contains("<bdi>&lt;b&gt;&quot;Cups&quot;&lt;/b&gt;</bdi>"), "\(html)")
        #expect(html.contains("aria-label=\"Favourite: 🙂 A &lt;smile&gt; &amp; &quot;wink&quot;\""), "\(html)")
        #expect(!html.contains("<smile>") && !html.contains("<b>"), "\(html)")
        for word in ["nil", "Optional", "[["] { #expect(!html.contains(word), "\(word): \(html)") }
        // Of one pack there is no order, and there is nothing recent.
        #expect(!html.contains("/actions/stickers/order") && !html.contains("/actions/stickers/forget"))
        #expect(!html.contains(#"id="recents""#) && !html.contains(#"id="favourites""#))
    }

    @Test func `the identifier of a pack can't leave an attribute or an address`() {
        let html = all([pack("a\"><script>/../?b"), pack("other")])
        #expect(!html.contains("<script>/") && !html.contains("a\">"), "\(html)")
        #expect(html.contains("/v1/packs/a%22%3E%3Cscript%3E%2F..%2F%3Fb/thumbnails/a.webp?operation=1&amp;size=128"))
        #expect(html.contains(#"value="a%22%3E%3Cscript%3E%2F..%2F%3Fb/s0""#), "\(html)")
    }

    @Test func `favourites are pressed and taken back, other stickers are added`() {
        let favourite = installed("s1", of: "org.example.cups", isFavourite: true)
        let html = all([pack("org.example.cups")], favourites: [favourite])
        #expect(html.contains(#"id="favourites""#), "\(html)")
        let removing = html.components(separatedBy: #"name="remove" value="org.example.cups/s1""#)
        // In the list of favourites and in the pack.
        #expect(removing.count == 3, "\(html)")
        #expect(html.components(separatedBy: #"aria-pressed="true""#).count == 3, "\(html)")
        #expect(html.contains(#"name="add" value="org.example.cups/s0" data-sticker="s0" aria-pressed="false""#))
    }

    @Test func `recent stickers have a section with a button that forgets them`() {
        let html = all([pack("org.example.cups")], recents: [installed("s0", of: "org.example.cups")])
        #expect(html.contains("Recently used") && html.contains(#"action="/actions/stickers/forget""#), "\(html)")
    }

    @Test func `the first pack can't move up, and the last one not down`() throws {
        let html = all([pack("a"), pack("b"), pack("c")])
        let sections = html.components(separatedBy: "<section ").dropFirst()
        #expect(sections.count == 3)
        let disabled = sections.map { section in
            ["up", "down"].filter { move in
                section.components(separatedBy: "<button").contains {
                    $0.contains("value=\"\(move)\"") && $0.contains(#"aria-disabled="true""#)
                }
            }
        }
        #expect(disabled == [["up"], [], ["down"]])
    }

    @Test func `two packs of one product have elements with different identifiers, and one position`() {
        let html = all([pack("a"), pack("a"), pack("b")])
        #expect(html.contains(#"<section id="pack-a""#) && html.contains(#"<section id="pack-a-2""#), "\(html)")
        #expect(html.components(separatedBy: "data-pack=\"a\"").count == 2, "\(html)")
        #expect(html.components(separatedBy: "value=\"down\"").count == 3, "\(html)")
    }

    @Test func `the identifier of a section is not that of another product's section`() {
        let packs = [pack("a"), pack("a-2"), pack("a"), pack("a")]
        #expect(StickerSection.anchors(of: packs) == ["pack-a", "pack-a-2", "pack-a-3", "pack-a-4"])
    }

    @Test func `two packs of one product have different elements in the tray of the chat`() {
        let page = ConversationPage(
            .a, packs: [pack("a"), pack("a")], skin: nil, emojiSet: nil, languages: ["en"], PageText(.english))
        let html = PageRenderer().html(page, in: .english, sequence: 1)
        #expect(html.contains(#"<h3 id="tray-pack-a""#) && html.contains(#"<h3 id="tray-pack-a-2""#), "\(html)")
    }

    @Test func `a large library shows the first stickers of the packs that exceed the limit`() {
        let packs = [pack("a", stickers: 450), pack("b", stickers: 100), pack("c", stickers: 40)]
        #expect(StickerResults.shown(of: packs) == [450, 4, 40])
        let html = all(packs)
        #expect(html.components(separatedBy: "data-sticker=").count - 1 == 494)
        #expect(html.contains(#"href="/stickers?pack=b""#) && !html.contains(#"href="/stickers?pack=a""#))
        #expect(html.contains("100 stickers"))
        let one = self.html(
            StickerResults(packs[1], favourites: [], languages: ["en"], PageText(.english)))
        #expect(one.components(separatedBy: "data-sticker=").count - 1 == 100)
        #expect(one.contains(#"href="/stickers""#) && !one.contains("?pack="))
        #expect(StickerResults.shown(of: [pack("d", stickers: 5000), pack("e", stickers: 3)]) == [4, 3])
    }

    @Test func `a search says how many stickers match, and what it leaves out`() {
        let texts = PageText(.english)
        let found = StickerResults(
            found: [installed("s0", of: "a"), installed("s1", of: "a")], total: 9, languages: ["en"], texts)
        let html = html(found, words: "\"cup\"")
        #expect(html.contains(#"id="count">9 stickers<"#) && html.contains("Only the first 2 are shown"), "\(html)")
        #expect(html.contains(#"value="&quot;cup&quot;""#), "\(html)")
        let none = self.html(StickerResults(found: [], total: 0, languages: ["en"], texts), words: "x")
        #expect(none.contains("No sticker matches.") && none.contains("0 stickers"), "\(none)")
        #expect(!none.contains("<section") && !none.contains("/store?kind=sticker"), "\(none)")
    }

    @Test func `without packs the page leads to the store`() {
        let html = all([])
        #expect(html.contains("No sticker pack is installed.") && html.contains("/store?kind=sticker"), "\(html)")
        #expect(!html.contains("Choosing a sticker"), "\(html)")
    }

    @Test(arguments: [
        ("a.tgs", nil, "/thumbnail?operation=1&size=128&animated=true"),
        ("a.WEBM", nil, "/thumbnail?operation=1&size=128&animated=true"), ("a.webp", nil, nil),
        ("a.webp", StickerImage(mediaType: "image/webp", width: 1, height: 1, size: 1, animated: false), nil),
        (
            "a.webp", StickerImage(mediaType: "image/webp", width: 1, height: 1, size: 1, animated: true),
            "/thumbnail?operation=1&size=128&animated=true"
        ),
        // The thumbnails of an animated PNG are static.
        (
            "a.png", StickerImage(mediaType: "image/apng", width: 1, height: 1, size: 1, animated: true),
            "/file?operation=1"
        ),
    ])
    func `only animated stickers have a second image`(file: String, image: StickerImage?, animated: String?) {
        let item = StickerItem(
            Sticker(
                id: "s", file: file, url: "/file?operation=1", thumbnail: "/thumbnail?operation=1", image: image),
            StickerName(productIdentifier: "p", sticker: "s"), languages: ["en"])
        #expect(item.source == "/thumbnail?operation=1&size=128" && item.animatedSource == animated, "\(item)")
    }

    @Test func `the pictures have the addresses of the stickers, with and without a version`() {
        for (thumbnail, expected) in [("/t?operation=2", "/t?operation=2&size=256"), ("/t", "/t?size=256")] {
            let item = StickerItem(
                Sticker(id: "s", file: "a.webp", thumbnail: thumbnail),
                StickerName(productIdentifier: "p", sticker: "s"), languages: ["en"])
            #expect(item.largeSource == expected)
        }
    }

    @Test(arguments: [
        StickerName(productIdentifier: "a/b %", sticker: "c/../ü"), .init(productIdentifier: ".", sticker: "?"),
    ])
    func `the name of a sticker is read from the field as it was written`(name: StickerName) {
        #expect(StickerName(formValue: name.formValue) == name)
    }

    @Test(arguments: ["", "a", "a/", "/b", "a/b/c", "%zz/b"])
    func `a malformed name of a sticker is refused`(value: String) {
        #expect(StickerName(formValue: value) == nil)
    }

    /// Values that find their properties for templates themselves have to know all of them.
    @Test func `templates find each property of a section and of a sticker`() throws {
        let section = StickerSection(pack("a"), languages: ["en"], PageText(.english))
        let values: [any TemplateValue] = [section, try #require(section.stickers.first)]
        for value in values {
            for case (let name?, let property) in Mirror(reflecting: value).children {
                let found = value.child(named: name)
                #expect(found != nil, "\(name)")
                if let text = property as? String { #expect(found as? String == text, "\(name)") }
                let missing = Mirror(reflecting: property)
                #expect(missing.displayStyle != .optional || !missing.children.isEmpty || found as? Bool == false)
            }
            #expect(value.child(named: "none") == nil)
        }
    }
}
