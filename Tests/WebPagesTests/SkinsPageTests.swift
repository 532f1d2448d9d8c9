import StoreMessages
import StoreModel
import Testing

@testable import StoreWebPages

/// The pages of skins as HTML.
@Suite struct SkinsPageTests {
    private let texts = PageText(.english)

    private func html(_ page: some Page) -> String { PageRenderer().html(page, in: .english, sequence: 1) }

    @Test func `each skin has a picture, can be tried, and is used with a form`() {
        let skins = [
            SkinsPage.Skin(id: "night", name: "Night", version: "1.2", parent: "base", isInUse: false, texts),
            SkinsPage.Skin(id: "day", name: "Day", version: nil, parent: nil, isInUse: true, texts),
        ]
        let html = html(SkinsPage(skins, isChosen: false, problem: nil, texts))
        #expect(
            html.contains(#"<img src="/v1/skins/night/picture?version=1.2" alt="A chat in the skin Night""#), "\(html)")
        #expect(html.contains(#"<img src="/v1/skins/day/picture" alt="A chat in the skin Day""#), "\(html)")
        #expect(html.contains(#"href="/skins/night" aria-label="Try: Night""#), "\(html)")
        #expect(html.components(separatedBy: #"action="/actions/skin""#).count == 2, "\(html)")
        #expect(
            !html.contains("Use the default skin") && !html.contains("No skin is installed.")
                && !html.contains("notice warning"), "\(html)")
    }

    @Test func `a skin that can't be used says why, and what can't be read is listed`() {
        let defect = StoreError(.skinNotFound, ["skin": "none"])
        let skins = [
            SkinsPage.Skin(
                id: "a", name: "A", version: nil, parent: nil, isInUse: false, defect: ErrorReport(defect), texts),
            SkinsPage.Skin(id: "b", name: "B", version: nil, parent: nil, isInUse: true, texts),
        ]
        let page = SkinsPage(
            skins, isChosen: true, problem: "something is wrong",
            unreadable: ["/skins/<bad>.theme": ErrorReport(defect)], texts)
        let html = html(page)
        #expect(html.contains("Something is wrong."), "\(html)")
        #expect(html.contains("The skin &#39;&lt;bad&gt;.theme&#39; can&#39;t be read"), "\(html)")
        #expect(html.contains("facts error"), "\(html)")
        #expect(html.contains(#"<form method="post" action="/actions/skin"><button>Use the default skin"#), "\(html)")
        #expect(!html.contains("/v1/skins/a/picture") && !html.contains(#"href="/skins/a""#), "\(html)")
        #expect(!html.contains(#"value="a""#) && html.contains("/v1/skins/b/picture"), "\(html)")
    }

    @Test func `without skins the page says so`() {
        let html = html(SkinsPage([], isChosen: false, problem: nil, texts))
        #expect(html.contains("No skin is installed.") && html.contains("/store?kind=skin"), "\(html)")
    }

    @Test func `texts of a skin that is tried are escaped, and its identifier can't leave an address`() {
        let html = html(
            SkinTrialPage(id: "a\"/../<b>", name: "<i>\"Night\"</i>", version: "<1>", isInUse: false, texts))
        #expect(html.contains("<h1>Skin &lt;i&gt;&quot;Night&quot;&lt;/i&gt;</h1>"), "\(html)")
        #expect(html.contains(#"href="/v1/skins/a%22%2F..%2F%3Cb%3E/css""#), "\(html)")
        #expect(html.contains(#"value="a&quot;/../&lt;b&gt;""#), "\(html)")
        #expect(!html.contains("<i>") && !html.contains("<b>"), "\(html)")
        #expect(html.contains("Use this skin") && html.contains(#"href="/skins">Back"#), "\(html)")
        for tag in ["<script>", "<iframe", "style="] { #expect(!html.contains(tag), "\(html)") }
    }

    @Test func `the skin in use offers no form`() {
        let html = html(SkinTrialPage(id: "night", name: "Night", version: nil, isInUse: true, texts))
        #expect(!html.contains("/actions/skin") && html.contains("In use"), "\(html)")
    }

    @Test func `the chat is drawn with a skin that is tried, in both windows`() {
        func page(_ trial: ConversationPage.Trial?) -> String {
            html(
                ConversationPage(
                    .a, packs: [], skin: "day", trial: trial, emojiSet: nil, languages: ["en"], texts))
        }
        let tried = page(.init(id: "night & day", name: "<Night>", isInUse: false))
        #expect(tried.contains(#"href="/v1/skins/night%20%26%20day/css" id="skin" data-skin-of="night &amp; day""#))
        #expect(tried.contains("/chat?as=b&amp;skin=night%20%26%20day"), "\(tried)")
        #expect(tried.contains("&lt;Night&gt;") && tried.contains("Use this skin"), "\(tried)")
        let usual = page(nil)
        #expect(usual.contains(#"<link rel="stylesheet" href="/v1/skin/css" id="skin">"#), "\(usual)")
        #expect(!usual.contains("Use this skin") && !usual.contains("data-skin-of"), "\(usual)")
    }
}
