import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The pages of a real daemon in a browser: what its script adds to the forms.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct WebPagesInChromiumTests {
    private let home: TestHome
    private let origin: Origin
    private let browser: Chromium

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        origin = try Origin()
        browser = try Chromium()
        StoreDocuments.publish(["Cups": 2000, "Cats": 2000, "Dogs": 400_000], on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    private func open(_ path: String = "/store") async throws -> Page {
        try await browser.logIn(to: home, at: path)
    }

    private func card(_ product: String) -> String {
        "document.querySelector('[data-product=\"org.example.\(product)\"]')"
    }

    @Test func `a click installs, and the button changes without loading the page again`() async throws {
        let page = try await open()
        try await page.keepPicture(as: "web-store")
        _ = try await page.value("window.isSamePage = true")
        _ = try await page.value(card("cups") + ".querySelector('button').click()")
        try await page.until(card("cups") + ".textContent.includes('Installed')")
        #expect(try await page.value(card("cups") + ".querySelector('button').textContent") == .string("Remove"))
        #expect(try await page.value("window.isSamePage") == .bool(true))
        #expect(try await home.packs().keys.contains("org.example.cups"))
    }

    @Test func `what another program installs appears by itself`() async throws {
        let page = try await open("/library")
        try await page.until("document.body.textContent.includes('Nothing is installed')")
        // The script has to follow the events before the change.
        try await page.until("document.getElementById('offline').hidden")
        try await home.must("install", "org.example.cats")
        try await page.until("document.getElementById('library').textContent.includes('Cats')")
        try await page.keepPicture(as: "web-library")
        try await home.must("uninstall", "org.example.cats")
        try await page.until("!document.getElementById('pack-org.example.cats')")
    }

    @Test func `search follows typing, and its address can be shared`() async throws {
        let page = try await open()
        let field = "document.querySelector('input[type=search]')"
        _ = try await page.value(
            "(() => { const field = \(field); field.focus(); field.value = 'do'; field.dispatchEvent(new Event('input', { bubbles: true })); })()"
        )
        try await page.until("document.querySelectorAll('.card').length === 1")
        #expect(try await page.value("location.search") == .string("?words=do&sort=name"))
        #expect(try await page.value("document.activeElement === \(field)") == .bool(true))
        #expect(try await page.value("document.getElementById('status').textContent") == .string("1 product"))
        _ = try await page.value("location.reload()")
        try await page.until("document.readyState === 'complete' && document.querySelectorAll('.card').length === 1")
        #expect(try await page.value(field + ".value") == .string("do"))
    }

    @Test func `going back undoes each filter, and a text as a whole`() async throws {
        let page = try await open("/store?kind=game")
        // A kind that this release does not know stays the chosen one.
        #expect(try await page.value("document.querySelector('[name=kind]').value") == .string("game"))
        try await page.show("/store")
        _ = try await page.value("document.querySelector('input[type=search]').focus()")
        let cards = "document.querySelectorAll('.card').length"
        for (letter, count) in [("c", 2), ("a", 1)] {
            try await page.type(letter)
            try await page.until("\(cards) === \(count)")
        }
        let kind = "document.querySelector('[name=kind]')"
        _ = try await page.value(
            "(\(kind).value = 'skin', \(kind).dispatchEvent(new Event('input', { bubbles: true })))")
        try await page.until("\(cards) === 0 && location.search === '?words=ca&kind=skin&sort=name'")
        _ = try await page.value("window.isSamePage = true")
        _ = try await page.value("history.back()")
        try await page.until("\(cards) === 1 && location.search === '?words=ca&sort=name'")
        #expect(try await page.value(kind + ".value") == .string(""))
        _ = try await page.value("history.back()")
        try await page.until("\(cards) === 3 && location.search === ''")
        #expect(try await page.value("document.querySelector('input[type=search]').value") == .string(""))
        _ = try await page.value("history.forward()")
        try await page.until("\(cards) === 1 && document.querySelector('input[type=search]').value === 'ca'")
        #expect(try await page.value("window.isSamePage") == .bool(true))
    }

    @Test func `the progress of a download moves, and the keyboard keeps its place`() async throws {
        origin.always("/dogs.zip", .crawlAt(100_000))
        let page = try await open()
        _ = try await page.value(card("dogs") + ".querySelector('button').focus()")
        _ = try await page.value(card("dogs") + ".querySelector('button').click()")
        try await page.until("!\(card("dogs")).querySelector('[data-progress]').hidden")
        try await page.until("\(card("dogs")).querySelector('progress').value > 0")
        try await page.until(
            "[...\(card("dogs")).querySelectorAll('button')].some((button) => button.textContent === 'Pause')")
        #expect(try await page.value("document.activeElement.tagName") == .string("BUTTON"))
        try await page.keepPicture(as: "web-progress")
        _ = try await page.value("[...\(card("dogs")).querySelectorAll('button')].at(-1).click()")
        try await page.until("\(card("dogs")).querySelector('button').textContent === 'Install'")
    }

    @Test func `nothing is wider than a narrow window, in either direction of writing`() async throws {
        let page = try await open()
        for path in [
            "/store", "/library", "/library/disk", "/removals", "/stickers", "/skins", "/chat", "/settings",
            "/settings/add-store", "/settings/stores/shop", "/settings/tokens",
        ] {
            try await page.show(path)
            try await page.expectNarrow(path)
            try await page.keepPicture(as: "web-narrow-\(path.dropFirst())")
        }
    }

    @Test func `each page has a heading, names its controls, and reports no violation of its policy`() async throws {
        let page = try await open()
        for path in [
            "/store", "/library", "/library/disk", "/removals", "/stickers", "/skins", "/skins/dark", "/chat",
            "/settings", "/settings/add-store", "/settings/stores/shop", "/settings/tokens",
            "/store/org.example.cups",
        ] {
            try await page.show(path)
            #expect(try await page.value("document.querySelectorAll('h1').length") == .integer(1), "\(path)")
            let unnamed = """
                [...document.querySelectorAll('button, input:not([type=hidden]), select, img')].filter((element) => element.tagName === 'IMG'
                  ? !element.hasAttribute('alt') : !(element.textContent.trim() || element.getAttribute('aria-label') || element.labels?.length)
                ).map((element) => element.outerHTML).join()
                """
            #expect(try await page.value(unnamed) == .string(""), "\(path)")
            // A violation of the policy would be an error of the script, which then does not follow the events.
            try await page.until("document.getElementById('offline').hidden")
        }
    }

    @Test func `a page has one event stream, and none while it is hidden`() async throws {
        let page = try await open()
        try await page.replaceEventStreams()
        try await page.show("/library")
        try await page.until("streams.length === 1 && \(Page.openStreamCount) === 1")
        // The page becomes visible again before it would open another stream.
        _ = try await page.value("streams[0].end()")
        for isVisible in [false, true] { try await page.setVisible(isVisible) }
        #expect(try await page.value(Page.openStreamCount) == 1)
        try await page.rest(milliseconds: 3000)
        #expect(try await page.value(Page.openStreamCount) == 1)
        _ = try await page.value("streams.at(-1).end()")
        try await page.setVisible(false)
        try await page.rest(milliseconds: 3000)
        #expect(try await page.value(Page.openStreamCount) == 0)
        try await page.setVisible(true)
        #expect(try await page.value(Page.openStreamCount) == 1)
        // A stream that the daemon refused is opened again.
        _ = try await page.value("streams.at(-1).end()")
        try await page.until("\(Page.openStreamCount) === 1")
    }

    @Test func `the page says that the daemon did not respond to a form until it responds again`() async throws {
        let page = try await open("/store/shop/org.example.cups")
        for (selector, result) in [
            ("form[action$=downloads]", "document.querySelector('form[action$=remove]')"),
            ("form[action=\"/verification\"]", "\(Page.dialog)?.open"),
        ] {
            _ = try await page.value(
                """
                (() => {
                  const request = window.fetch;
                  window.fetch = async () => {
                    window.fetch = request;
                    throw new TypeError("no response");
                  };
                  document.querySelector('\(selector)').requestSubmit();
                })()
                """)
            try await page.until("!document.getElementById('offline').hidden")
            try await page.until("document.getElementById('offline').hidden")
            _ = try await page.value("document.querySelector('\(selector)').requestSubmit()")
            try await page.until(result)
        }
    }

    @Test func `the page waits for a daemon that is away, and asks for a new link once it is back`() async throws {
        let page = try await open()
        try await home.must("daemon", "stop")
        try await page.until("!document.getElementById('offline').hidden")
        try await page.keepPicture(as: "web-offline")
        // Its port is the same only where a setting names one.
        #expect(try await page.value("document.querySelectorAll('.card').length") == .integer(3))
    }
}
