import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The pages of the skins of a real daemon in a browser.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct SkinPagesInChromiumTests {
    private let home: TestHome
    private let browser: Chromium

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        browser = try Chromium()
        try await home.must("skin", "use", "light")
    }

    private func open(_ path: String) async throws -> Page { try await browser.logIn(to: home, at: path) }

    private static let window = "getComputedStyle(document.querySelector('[data-skin=chat_window]')).backgroundColor"

    /// Returns the SVG of a skin's picture, after the browser has drawn it.
    private func picture(of skin: String, in page: Page) async throws -> String {
        let image = "document.querySelector('#skin-\(skin) img')"
        _ = try await page.value(image + ".scrollIntoView()")
        // An SVG that is not well-formed has no size.
        try await page.until(image + ".complete && \(image).naturalWidth === 320")
        return try await page.value("fetch(\(image).src).then((response) => response.text())").text ?? ""
    }

    @Test func `each skin has a picture in its own colours, and is used at a click`() async throws {
        let page = try await open("/skins")
        let color = "bubble_in_text-backgroundColor: "
        let colors = try await [picture(of: "light", in: page), picture(of: "dark", in: page)].map { svg in
            try #require(svg.components(separatedBy: color).dropFirst().first?.prefix { $0 != ";" })
        }
        #expect(colors[0] != colors[1], "\(colors)")
        try await page.keepPicture(as: "skins")
        _ = try await page.value("document.querySelector('#skin-dark button').focus()")
        try await page.press(.enter)
        try await page.until("document.querySelector('#skin-dark .state')?.textContent === 'In use'")
        // The button is gone; what else the skin has, has the focus.
        #expect(try await page.value("document.activeElement.closest('li').id") == .string("skin-dark"))
    }

    @Test func `a skin is tried while another one is in use, and then used`() async throws {
        let page = try await open("/skins")
        _ = try await page.value("document.querySelector('#skin-dark a[aria-label=\"Try: Dark\"]').click()")
        try await page.until("location.pathname === '/skins/dark' && document.readyState === 'complete'")
        let dark = try #require(await page.value(Self.window).text)
        try await page.keepPicture(as: "skin-dark")
        try await page.show("/skins/light")
        #expect(try await page.value(Self.window) != .string(dark))
        try await page.show("/skins/dark")
        let inUse = "fetch('/v1/skin').then((r) => r.json()).then(({ skin }) => skin.identifier)"
        #expect(try await page.value(inUse) == .string("light"))
        // Nothing in the picture of the chat can have the focus.
        let stops = "document.querySelectorAll('.trial :is(a, button, input, textarea, [tabindex])').length"
        #expect(try await page.value(stops) == .integer(0))
        try await page.until("document.getElementById('offline').hidden")
        _ = try await page.value("document.querySelector('#skin-dark button').click()")
        try await page.until("document.querySelector('#skin-dark .state')?.textContent === 'In use'")
        #expect(try await page.value(inUse) == .string("dark"))
        #expect(try await page.value("location.pathname") == .string("/skins/dark"))
    }

    @Test func `the chat keeps the skin that is tried when another one is used`() async throws {
        let page = try await open("/chat?skin=dark")
        try await page.until("document.querySelector('.skinned')")
        let dark = try #require(await page.value(Self.window).text)
        #expect(
            try await page.value("new URL(document.getElementById('other').href).search") == .string("?as=b&skin=dark"))
        try await home.must("skin", "use", "dark")
        try await page.until("document.querySelector('#trial .state')?.textContent === 'In use'")
        try await home.must("skin", "use", "light")
        try await page.until("document.querySelector('#trial button')")
        #expect(try await page.value(Self.window) == .string(dark))
        let usual = try await browser.open(#require(page.value("location.origin").text) + "/chat")
        try await usual.stayVisible()
        try await usual.until("document.querySelector('.skinned')")
        #expect(try await usual.value(Self.window) != .string(dark))
    }

    @Test func `the page of the skin in use has one event stream, and none while it is hidden`() async throws {
        let page = try await open("/skins")
        try await page.replaceEventStreams()
        try await page.show("/v1/skin/page")
        #expect(try await page.value("streams.length") == 1)
        try await page.setVisible(false)
        #expect(try await page.value(Page.openStreamCount) == 0)
        try await page.setVisible(true)
        #expect(try await page.value(Page.openStreamCount) == 1)
        // A stream that the daemon refused is opened again; what changed meanwhile is in the style sheet.
        _ = try await page.value("streams.at(-1).end()")
        try await page.until("\(Page.openStreamCount) === 1")
        _ = try await page.value("streams.at(-1).send('open')")
        try await page.until("document.getElementById('skin').href.includes('/v1/skin/css#')")
    }

    @Test func `the chat loads the style sheet again after a gap in the events`() async throws {
        for (path, sheet) in [("/chat", "/v1/skin/css"), ("/chat?skin=dark", "/v1/skins/dark/css")] {
            let page = try await open(path)
            try await page.until("document.querySelector('.skinned')")
            _ = try await page.value(
                "document.dispatchEvent(new CustomEvent('store-event', { detail: { type: 'all' } }))")
            // It replaces the other one as soon as it is loaded.
            try await page.until("document.getElementById('skin').href.includes('\(sheet)#')")
        }
    }

    @Test func `nothing is wider than a narrow window, in either direction of writing`() async throws {
        let page = try await open("/skins/dark")
        for path in ["/skins", "/skins/dark", "/chat?skin=dark"] {
            try await page.show(path)
            try await page.expectNarrow(path)
        }
    }
}
