import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// What the pages show in a browser while downloads run: progress, reasons for waiting, and no motion of anything else.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct ProgressInChromiumTests {
    private let home: TestHome
    private let origin: Origin
    private let browser: Chromium

    init() async throws {
        home = try TestHome(settings: [
            "STORECTL_WEB_PORT": "0", "STORECTL_DOWNLOADS_OUTAGE_TIMEOUT": "86400",
            "STORECTL_DOWNLOADS_RETRY_LONGEST_DELAY": "1",
            // Each installation has to fetch its archive.
            "STORECTL_DOWNLOADS_KEPT_ARCHIVES": "0",
        ])
        origin = try Origin()
        browser = try Chromium()
        try publish()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    /// Serves a store with a large pack, which has pictures, before two small ones.
    private func publish(_ version: String = "1.0.0") throws {
        let archive = StoreDocuments.pack(version == "1.0.0" ? 1 : 2, size: 400_000)
        origin.serve("/birds.zip", archive)
        let pictures = try ["01-sun", "04-moon"].map { Array(try TestFiles.data("Packs/weather/\($0).png")) }
        let previews = pictures.enumerated().map { number, picture in
            origin.serve("/\(number).png", picture)
            return ["url": "/\(number).png", "size": picture.count, "sha256": StoreDocuments.hash(picture)]
                as [String: Any]
        }
        let birds = StoreDocuments.product(
            "org.example.birds", version: version, archive: archive, at: "/birds.zip",
            with: [
                "productName": "Birds", "license": "CC0-1.0", "productResourceImageURL": "/0.png",
                "productResourceImageSize": pictures[0].count,
                "productResourceImageSHA256": StoreDocuments.hash(pictures[0]),
                "productDetailsPreviewImagesURLsArray": previews,
            ])
        let others = ["Cats", "Dogs"].map { name in
            let other = StoreDocuments.pack(3)
            origin.serve("/\(name).zip", other)
            return StoreDocuments.product(
                "org.example.\(name.lowercased())", archive: other, at: "/\(name).zip", with: ["productName": name])
        }
        StoreDocuments.formatTwo([birds] + others, on: origin)
    }

    private func card(_ name: String) -> String {
        "document.querySelector('[data-product=\"org.example.\(name)\"]')"
    }

    private func text(_ name: String) -> String { "\(card(name)).querySelector('[data-progress-text]').textContent" }

    /// Begins a download as another program does.
    private func begin(_ name: String) async throws {
        try await home.must("install", "org.example.\(name)", "--no-wait")
    }

    // MARK: Texts

    @Test func `progress and reasons of downloads that another program begins appear on open pages`() async throws {
        origin.always("/birds.zip", .crawlAt(100_000))
        let page = try await browser.logIn(to: home)
        _ = try await page.value("window.isSamePage = true")
        try await begin("birds")
        let running = #"/^downloading · \d+ kB of 4\d\d kB · [\d.]+ (kB|bytes)\/s · .*\d .* left$/"#
        try await page.until("\(running).test(\(text("birds")))")
        let (before, fraction) = (
            try #require(await page.value(text("birds")).text),
            try #require(await page.value("\(card("birds")).querySelector('progress').value").number)
        )
        try await page.until("\(running).test(\(text("birds"))) && \(text("birds")) !== '\(before)'")
        try await page.until("\(card("birds")).querySelector('progress').value > \(fraction)")
        try await home.must("config", "set", "downloads.maximumAtOnce", "1")
        try await begin("cats")
        try await page.until("\(text("cats")) === 'waiting for other downloads'")
        try await home.must("pause", "org.example.cats")
        try await page.until("\(text("cats")) === 'paused'")
        #expect(try await page.value("window.isSamePage") == true)
        // A page that is loaded meanwhile begins with the same.
        try await home.must("resume", "org.example.cats")
        for path in ["/store", "/store/shop/org.example.cats"] {
            try await page.show(path)
            #expect(try await page.value(text("cats")) == "waiting for other downloads", "\(path)")
        }
        try await page.show("/store/shop/org.example.birds")
        try await page.until("\(running).test(\(text("birds")))")

        // The server goes away in the middle, and comes back.
        try await home.must("cancel", "org.example.birds")
        // It does not respond on connections of earlier downloads either.
        origin.script("/birds.zip", [[.goDown, .closeAt(200_000)]], rest: [.close])
        try await page.show("/store")
        _ = try await page.value("window.isSamePage = true")
        try await begin("birds")
        try await page.until("\(text("birds")).includes('could not connect')")
        origin.always("/birds.zip")
        try origin.open()
        try await page.until("\(card("birds")).textContent.includes('Installed')")
        #expect(try await page.value("window.isSamePage") == true)
        #expect(try await home.packs().keys.contains("org.example.birds"))
    }

    // MARK: Motion

    /// Notes from now on which parts of the page move, by the browser's own measure, and by the places of headings and the
    /// like in each frame: parts that are replaced are new ones for the browser.
    private static let observe = """
        (() => {
          window.stopObserving?.();
          const moved = window.moved = [];
          const places = new Map();
          const observer = new PerformanceObserver((list) => {
            for (const { hadRecentInput, sources } of list.getEntries()) {
              if (hadRecentInput) continue;
              for (const { node, previousRect, currentRect } of sources) {
                const rect = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join();
                moved.push(`${node?.nodeName} ${node?.className} (${rect(previousRect)} → ${rect(currentRect)})`);
              }
            }
          });
          observer.observe({ type: "layout-shift" });
          let frame;
          const look = () => {
            const seen = new Map();
            for (const part of document.querySelectorAll("#main :is(h1, h2, .card, dt, img, .pictures)")) {
              const text = `${part.tagName} ${part.id || part.getAttribute("src") || part.textContent.trim().slice(0, 30)}`;
              seen.set(text, (seen.get(text) ?? 0) + 1);
              const name = `${text} ${seen.get(text)}`;
              const place = Math.round(part.getBoundingClientRect().top + scrollY);
              if (places.has(name) && places.get(name) !== place) moved.push(`${name} (${places.get(name)} → ${place})`);
              places.set(name, place);
            }
            frame = requestAnimationFrame(look);
          };
          look();
          window.stopObserving = () => { observer.disconnect(); cancelAnimationFrame(frame); };
          window.observed = places;
        })()
        """

    /// Presses a button, and checks that nothing moves until the product is installed.
    ///
    /// - Parameter isNarrow: whether the progress needs room of its own, which it takes as soon as the button is pressed.
    private func expectRest(
        in page: Page, _ name: String, isNarrow: Bool, location: SourceLocation = #_sourceLocation,
        press: () async throws -> Void, until end: String
    ) async throws {
        try await page.until("[...document.images].every(({ complete }) => complete)")
        if !isNarrow { _ = try await page.value(Self.observe) }
        origin.hold()
        try await press()
        let pause = "\(card("birds")).querySelector('[aria-label^=Pause]')"
        try await page.until("\(card("birds")).querySelector('progress')?.value > 0 && \(pause)")
        if isNarrow { _ = try await page.value(Self.observe) }
        origin.release()
        try await page.until(end)
        // What the last change moves is known after another frame.
        _ = try await page.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        #expect(try await page.value("window.observed.size > 3") == true, "\(name)", sourceLocation: location)
        let moved = try await page.value("window.moved.join('\\n')").text
        #expect(moved == "", "\(name)", sourceLocation: location)
    }

    @Test func `nothing moves while a pack is installed or updated`() async throws {
        origin.always("/birds.zip", .crawlAt(200_000))
        let page = try await browser.logIn(to: home)
        let install = "document.querySelector('button[aria-label=\"Install: Birds\"]')"
        for (width, height) in [(1280, 1000), (320, 640)] {
            try await page.resize(width: width, height: height)
            for (path, end) in [("/store", "Installed"), ("/store/shop/org.example.birds", "Installed version")] {
                try await page.show(path)
                try await expectRest(
                    in: page, "\(path) \(width)", isNarrow: width < 640, press: { try await page.click(on: install) },
                    until: "\(card("birds")).textContent.includes('\(end)')")
                try await home.must("uninstall", "org.example.birds")
            }
            try publish()
            try await home.must("install", "org.example.birds", "org.example.cats")
            try publish("2.0.0")
            try await home.must("refresh")
            try await page.show("/library")
            try await expectRest(
                in: page, "library \(width)", isNarrow: width < 640,
                press: {
                    try await page.click(on: "document.querySelector('button[aria-label=\"Update: Birds\"]')")
                    try await page.click(on: "\(Page.dialog)?.querySelector('button.main')")
                }, until: "\(card("birds")).textContent.includes('version 2.0.0')")
            try await home.must("uninstall", "org.example.birds", "org.example.cats")
            try publish()
            try await home.must("refresh")
        }
    }

    @Test func `pictures that come late, or not at all, move nothing`() async throws {
        origin.always("/0.png", .stallBeforeAnswer)
        origin.always("/1.png", .stallBeforeAnswer, .status(404))
        let page = try await browser.logIn(to: home)
        let images = "document.querySelectorAll('#product img')"
        // The icon keeps the page from being complete.
        try await page.load(#require(await page.value("location.origin").text) + "/store/shop/org.example.birds")
        let isStyled = "[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet)"
        try await page.until("document.readyState === 'interactive' && \(images).length === 3 && \(isStyled)")
        _ = try await page.value(Self.observe)
        await origin.untilStalled(2)
        origin.release()
        try await page.until(
            "[...\(images)].map(({ complete, naturalWidth }) => complete && naturalWidth > 0).join() === 'true,true,false'"
        )
        try await page.until("[...\(images)].every(({ complete }) => complete)")
        _ = try await page.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        let moved = try await page.value("window.moved.join('\\n')").text
        #expect(moved == "")
    }
}
