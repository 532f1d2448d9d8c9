import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The pages of a real daemon as an app in a browser: what the browser shows while the daemon is away.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct OfflinePageInChromiumTests {
    private let home: TestHome
    private let browser: Chromium

    init() async throws {
        home = try TestHome()
        browser = try Chromium()
        try await home.servePagesAtFixedPort()
    }

    /// Logs the browser in, and waits until the service worker is there.
    private func open() async throws -> Page {
        let page = try await browser.logIn(to: home)
        _ = try await page.value("navigator.serviceWorker.ready.then(() => true)")
        return page
    }

    private let heading = "document.querySelector('h1')?.textContent"
    private let isAway = "document.querySelector('h1')?.textContent === 'The daemon does not respond'"

    @Test func `the page that was asked for while the daemon was away comes back by itself`() async throws {
        let page = try await open()
        let origin = try #require(await page.value("location.origin").text)
        try await home.must("daemon", "stop")
        try await page.navigate(to: origin + "/library?while=away")
        try await page.until(isAway)
        // With the style of all pages, although that can't be loaded.
        #expect(try await page.value("getComputedStyle(document.getElementById('main')).maxWidth") == .string("576px"))
        #expect(try await page.value("document.querySelector('.notice').textContent.includes('by itself')") == true)

        // The session ended with the daemon; the page says so, and continues once the browser is logged in again.
        try await home.must("daemon", "start")
        try await page.until("\(heading) === 'Log in' && document.readyState === 'complete'")
        #expect(try await page.value("location.pathname + location.search") == .string("/library?while=away"))
        #expect(try await page.value("document.body.textContent.includes('ends when the daemon stops')") == true)
        let other = try await browser.open(try await WebClient.link(home))
        try await other.until("\(heading) === 'Store'")
        try await page.until("\(heading) === 'Library'")
        #expect(try await page.value("location.pathname + location.search") == .string("/library?while=away"))
    }

    @Test func `a page that was open while the daemon was away leads to the page that asks to log in`() async throws {
        let page = try await open()
        try await home.must("daemon", "restart")
        try await page.until("\(heading) === 'Log in'")
        let other = try await browser.open(try await WebClient.link(home))
        try await other.until("\(heading) === 'Store'")
        try await page.until("\(heading) === 'Store'")
    }

    @Test func `a form that is sent after the session ended leads to the page that asks to log in`() async throws {
        let page = try await open()
        // The end of the event stream would lead there, too.
        try await page.replaceEventStreams()
        try await page.show("/settings")
        _ = try await page.value(
            """
            (async () => {
              window.isSamePage = true;
              await fetch("/logout", { method: "POST" });
              document.querySelector("#settings form").requestSubmit();
            })()
            """)
        try await page.until("\(heading) === 'Log in' && !window.isSamePage")
    }

    @Test func `a login in a page with the service worker uses its link once`() async throws {
        let page = try await open()
        try await page.show("/library")
        #expect(try await page.value("navigator.serviceWorker.controller !== null") == true)
        for product in ["org.example.one", "org.example.two"] {
            let link = try await home.must("web", "open", "--no-open", "storectl:install/\(product)", "--json").json
            try await page.load(#require(link["link"]?.text))
            // A second request with the link would be refused, and the page of the login leads to the store.
            try await page.until("location.pathname === '/store/\(product)' && document.readyState === 'complete'")
            _ = try await page.value("navigator.serviceWorker.ready.then(() => true)")
        }
    }

    @Test func `the browser keeps the files of the offline page and nothing else`() async throws {
        let page = try await open()
        let origin = try #require(await page.value("location.origin").text)
        for path in ["/library", "/settings", "/chat", "/v1/packs", "/store"] {
            try await page.navigate(to: origin + path)
        }
        let kept = """
            (async () => {
              const all = [];
              for (const name of await caches.keys())
                for (const { url } of await (await caches.open(name)).keys()) all.push(new URL(url).pathname);
              return all.sort().join(" ");
            })()
            """
        #expect(
            try await page.value(kept)
                == .string("/assets/icon.svg /assets/offline.html /assets/pages.css /assets/return.js"))
        // The requests for pages are those of the browser, and no answer is kept for later.
        _ = try await page.value("fetch('/logout', { method: 'POST' }).then(() => true)")
        try await page.navigate(to: origin + "/library")
        #expect(try await page.value(heading) == .string("Log in"))
    }

    @Test func `the browser can install the pages as an app, with icons of the sizes that the manifest states`()
        async throws
    {
        let page = try await open()
        #expect(try await page.problemsOfInstallation() == [])
        let icons = """
            (async () => {
              const manifest = await (await fetch(document.querySelector("link[rel=manifest]").href)).json();
              return Promise.all(manifest.icons.filter(({ type }) => type === "image/png").map(async ({ src, sizes }) => {
                const { width, height } = await createImageBitmap(await (await fetch(src)).blob());
                return `${width}x${height}` === sizes;
              }));
            })()
            """
        #expect(try await page.value(icons) == [true, true, true])
    }
}
