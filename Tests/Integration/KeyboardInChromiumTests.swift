import StoreModel
import StoreTestSupport
import Testing

/// The pages in a browser whose user has a keyboard only, or has switched scripts off.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct KeyboardInChromiumTests {
    private let home: TestHome
    private let browser: Chromium
    private let packs: StickerPacks

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        browser = try Chromium()
        packs = try await StickerPacks(installedIn: home)
    }

    /// Notes the elements that can be used, with their looks without the focus.
    private static let prepare = """
        (() => {
          const style = (element) => (({ outlineStyle, outlineWidth, outlineColor, boxShadow }) =>
            [outlineStyle, outlineWidth, outlineColor, boxShadow].join())(getComputedStyle(element));
          const all = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
            .filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true }));
          window.stops = { all: new Map(all.map((element) => [element, style(element)])), style, last: null, problems: [] };
        })()
        """

    /// Checks the element that has the focus; the value is whether the walk goes on.
    private static let check = """
        (async () => {
          const element = document.activeElement;
          const { all, style, problems } = stops;
          const name = element.getAttribute("aria-label") ?? (element.textContent.trim() || element.name || element.id);
          const problem = (text) => problems.push(`${element.tagName} ${name.slice(0, 40)}: ${text}`);
          if (element === document.body) return false;
          if (!all.has(element)) {
            // From the last element, a browser without bars of its own goes on with the first.
            if (element !== stops.first) problem("reached again, or hidden");
            return false;
          }
          stops.first ??= element;
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          if (outlineStyle === "none" || parseFloat(outlineWidth) < 2 || style(element) === all.get(element)) problem("no visible focus");
          all.delete(element);
          const frame = () => new Promise((done) => requestAnimationFrame(done));
          let box = element.getBoundingClientRect();
          for (let frames = 0; frames < 10 && (box.top < 0 || box.bottom > innerHeight); frames += 1) {
            await frame();
            box = element.getBoundingClientRect();
          }
          // Of a part that scrolls by itself, the browser may show less than all.
          const isWhole = box.height < innerHeight / 2 && !element.matches("[role=region], [role=log]");
          const isSeen = isWhole ? box.top >= -1 && box.bottom <= innerHeight + 1 : box.top < innerHeight && box.bottom > 0;
          if (!isSeen) problem("not in view");
          const [x, y] = [box.left + scrollX, box.top + scrollY];
          const { last } = stops;
          if (last) {
            const isRow = y < last.y + last.height - 1 && last.y < y + box.height - 1;
            const isBackward = getComputedStyle(document.body).direction === "rtl" ? x > last.x : x < last.x;
            if (isRow ? isBackward : y < last.y) problem(`is before ${last.name}`);
          }
          // The link at the top is over the others.
          stops.last = element.matches(".skip") ? stops.last : { x, y, height: box.height, name };
          return true;
        })()
        """

    /// Walks through a page with the Tab key, and checks that each element is reached in order, and seen.
    private func walk(_ page: Page, _ path: String) async throws {
        _ = try await page.value(Self.prepare)
        repeat { try await page.press(.tab) } while try await page.value(Self.check) == true
        let problems = """
            [...stops.problems, ...[...stops.all.keys()].map((element) => `not reached: ${element.outerHTML.slice(0, 120)}`)].join("\\n")
            """
        #expect(try await page.value("stops.last !== null") == true, "\(path)")
        let found = try await page.value(problems).text
        #expect(found == "", "\(path)")
    }

    @Test func `Tab reaches each element in the order in which it is seen, and shows where the focus is`() async throws
    {
        try await home.must("uninstall", "org.example.moons")
        try await home.must("stickers", "favourite", "org.example.cups", "wink")
        try await home.must("web", "tokens", "create", "tray")
        let page = try await browser.logIn(to: home)
        for path in [
            "/store", "/store/shop/org.example.moons", "/library", "/library/disk", "/removals", "/updates?all=true",
            "/stickers", "/skins", "/skins/dark", "/chat", "/settings", "/settings/add-store", "/settings/stores/shop",
            "/settings/tokens",
        ] {
            try await page.show(path)
            if path == "/chat" { try await page.until("!document.getElementById('chat').hidden") }
            // The fields of a list that is closed can't be used.
            _ = try await page.value("document.querySelector('summary')?.click()")
            try await walk(page, path)
        }
        for (language, width) in [("ar", 1280), ("en", 320)] {
            try await page.read(language: language)
            try await page.resize(width: width, height: 700)
            for path in ["/store", "/library", "/stickers"] {
                try await page.show(path)
                try await walk(page, "\(path) \(language) \(width)")
            }
        }
    }

    private static let focus = "document.activeElement.getAttribute('aria-label')"

    @Test func `the link at the top leads to the content, and Enter and Space install and remove`() async throws {
        try await home.must("uninstall", "org.example.moons")
        let page = try await browser.logIn(to: home)
        try await page.press(.tab)
        #expect(try await page.value("document.activeElement.textContent") == "Skip to content")
        #expect(try await page.value("document.activeElement.getBoundingClientRect().height > 20") == true)
        try await page.press(.enter)
        try await page.until("document.activeElement.id === 'main'")
        try await page.press(.tab)
        #expect(try await page.value("document.activeElement.name") == "words")
        func installed() async throws -> Bool { try await home.packs()["org.example.moons"] != nil }
        for (install, remove) in [(BrowserKey.enter, BrowserKey.space), (.space, .enter)] {
            while try await page.value(Self.focus) != "Install: Moons" { try await page.press(.tab) }
            try await page.press(install)
            // The buttons of a running download have the focus meanwhile, and those of the pack afterwards.
            // Until the page has the last of the events, a button may be replaced while its key is pressed.
            let card = "document.querySelector('[data-product=\"org.example.moons\"]')"
            try await page.until("\(Self.focus) === 'Remove: Moons' && \(card).textContent.includes('Installed')")
            #expect(try await installed())
            try await page.press(remove)
            try await page.until("\(Self.focus) === 'Install: Moons'")
            #expect(try await !installed())
        }
    }

    // MARK: Without scripts

    /// Clicks an element, and waits for the page to which that leads.
    private func follow(_ element: String, in page: Page) async throws {
        let before = try await page.value("performance.timeOrigin").asWritten
        try await page.click(on: element)
        try await page.until("Math.abs(performance.timeOrigin - \(before)) > .5 && document.readyState === 'complete'")
    }

    /// Follows the link by the progress of a download, which shows its current state.
    private func showAgain(_ progress: String, in page: Page) async throws {
        try await follow("\(progress).querySelector('noscript a')", in: page)
    }

    private func button(_ label: String, in part: String = "#main") -> String {
        "document.querySelector('\(part) button[aria-label=\"\(label)\"]')"
    }

    @Test func `without scripts, forms search, install with progress, verify, remove, save and choose`() async throws {
        let origin = try Origin()
        StoreDocuments.publish(["Dogs": 400_000], on: origin)
        // The second half takes hours to arrive, unless the download goes on with another connection.
        origin.script("/dogs.zip", [[.crawlAt(200_000)]])
        try await home.must("store", "add", "second", origin.address, "--unsigned")
        let page = try await browser.logIn(to: home)
        try await page.stopScripts()
        try await page.show("/store")
        let field = "document.querySelector('input[type=search]')"
        try await page.click(on: field)
        try await page.type("dogs")
        try await page.press(.enter)
        try await page.until("location.search.includes('words=dogs') && document.readyState === 'complete'")
        #expect(try await page.value("document.querySelectorAll('.card').length") == 1)
        #expect(try await page.value("\(field).value") == "dogs")

        try await follow(button("Install: Dogs"), in: page)
        let progress = "document.querySelector('[data-progress]')"
        #expect(try await page.value("location.search.includes('words=dogs')") == true)
        let showsDownload = "\(progress).textContent.trim().startsWith('downloading · 200 kB of 400 kB')"
        while try await page.value(showsDownload) == false { try await showAgain(progress, in: page) }
        try await home.must("pause", "org.example.dogs")
        try await showAgain(progress, in: page)
        #expect(try await page.value(button("Resume: Dogs")) != .null)
        try await home.must("resume", "org.example.dogs")
        while try await page.value(button("Remove: Dogs")) == .null { try await showAgain(progress, in: page) }
        #expect(try await home.packs()["org.example.dogs"] != nil)

        try await page.show("/library")
        try await follow(button("Verify: Cups"), in: page)
        let result = try await page.value("document.getElementById('main').textContent").text
        #expect(result?.contains("Intact: 3 files were compared") == true, "\(result ?? "")")
        try await follow("document.querySelector('[data-cancel]')", in: page)
        #expect(try await page.value("location.pathname") == "/library")

        try await page.click(on: "document.querySelector('[name=\"select:org.example.dogs\"]')")
        try await follow("document.querySelector('#selection button')", in: page)
        #expect(try await page.value("location.pathname") == "/removals")
        #expect(try await page.value("document.getElementById('main').textContent.includes('Dogs')") == true)
        #expect(try await home.packs()["org.example.dogs"] != nil)
        try await follow("document.querySelector('#main button.main')", in: page)
        #expect(try await page.value("location.pathname") == "/library")
        #expect(try await home.packs()["org.example.dogs"] == nil)

        try await page.show("/settings")
        let setting = "document.getElementById('setting-downloads.attempts')"
        try await page.click(on: setting)
        _ = try await page.value("\(setting).select()")
        try await page.type("9")
        try await follow(button("Save: downloads.attempts"), in: page)
        #expect(try await page.value("\(setting).value") == "9")
        #expect(try await home.must("config", "get", "downloads.attempts").output == "9\n")

        try await page.show("/stickers")
        try await follow(button("Favourite: 😉 A winking cup"), in: page)
        #expect(try await page.value("document.querySelector('#favourites [data-sticker=wink]') !== null") == true)
        let favourites = try await home.must("stickers", "favourite", "--json").json["stickers"]?.elements ?? []
        #expect(favourites.map { $0["sticker"]["id"] } == ["wink"])
        try await page.show("/chat")
        #expect(try await page.value("document.querySelector('noscript .notice').checkVisibility()") == true)
    }
}
