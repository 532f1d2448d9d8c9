import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The main paths through the pages of a real daemon in Firefox, which has another engine than Chromium.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(.hangGuard, .needs(Firefox.program, debian: "firefox-esr")) struct WebPagesInFirefoxTests {
    private let home: TestHome
    private let origin: Origin

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        origin = try Origin()
        try publish(cats: "1.0.0")
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    /// Serves a store with a pack of two stickers, one that has newer versions, and a large one.
    private func publish(cats version: String) throws {
        let cups = StickerPacks.archive(of: try StickerPacks.cups())
        let (cats, dogs) = (StoreDocuments.pack(version == "1.0.0" ? 1 : 2), StoreDocuments.pack(3, size: 400_000))
        for (name, archive) in [("cups", cups), ("cats-\(version)", cats), ("dogs", dogs)] {
            origin.serve("/\(name).zip", archive)
        }
        StoreDocuments.formatTwo(
            [
                StoreDocuments.product(
                    "org.example.cups", archive: cups, at: "/cups.zip", with: ["productName": "Cups"]),
                StoreDocuments.product(
                    "org.example.cats", version: version, archive: cats, at: "/cats-\(version).zip",
                    with: ["productName": "Cats"]),
                StoreDocuments.product(
                    "org.example.dogs", archive: dogs, at: "/dogs.zip", with: ["productName": "Dogs"]),
            ], on: origin)
    }

    /// Logs the browser in by a one-time link, which leads to the page of the store.
    private func open(in browser: Firefox) async throws -> FirefoxPage {
        let page = try await browser.open(WebClient.link(home))
        #expect(try await page.address.hasSuffix("/store"))
        return page
    }

    private func card(_ product: String) -> String { "[data-product=\"org.example.\(product)\"]" }

    private func expectNoErrors(in page: FirefoxPage, location: SourceLocation = #_sourceLocation) async throws {
        let errors = try await page.errors()
        #expect(errors == [], "\(errors)", sourceLocation: location)
    }

    // MARK: Store and library

    @Test func `search follows typing, and a click installs with progress`() async throws {
        let page = try await open(in: Firefox())
        try await page.type("do", into: "input[type=search]")
        try await page.until("document.querySelectorAll('.card').length === 1")
        #expect(try await page.value("location.search") == .string("?words=do&sort=name"))
        origin.always("/dogs.zip", .crawlAt(100_000))
        _ = try await page.value("window.isSamePage = true")
        try await page.click(card("dogs") + " button")
        try await page.until("document.querySelector('progress')?.value > 0")
        try await page.until("document.querySelector('[data-progress-text]').textContent.match(/ of \\d+ kB/)")
        try await page.keepPicture(as: "firefox-progress")
        origin.always("/dogs.zip")
        try await home.must("cancel", "org.example.dogs")
        try await page.until("document.querySelector('\(card("dogs")) button').textContent === 'Install'")
        try await page.click(card("dogs") + " button")
        try await page.until("document.querySelector('\(card("dogs"))').textContent.includes('Installed')")
        #expect(try await page.value("window.isSamePage") == .bool(true))
        #expect(try await home.packs().keys.contains("org.example.dogs"))
        try await expectNoErrors(in: page)
    }

    @Test func `the library updates and removes a pack`() async throws {
        try await home.must("install", "org.example.cats")
        let page = try await open(in: Firefox())
        try await page.show("/library")
        try publish(cats: "2.0.0")
        try await home.must("refresh")
        try await page.until("document.querySelector('#updates form')")
        try await page.click("button[aria-label='Update: Cats']")
        try await page.until("document.querySelector('dialog')?.textContent.includes('1.0.0 → 2.0.0')")
        try await page.until("document.activeElement.id === 'dialog-title'")
        try await page.press(.escape)
        try await page.until("!document.querySelector('dialog')")
        #expect(try await page.value("document.activeElement.ariaLabel") == .string("Update: Cats"))
        try await page.press(.enter)
        try await page.until("document.querySelector('dialog')?.open")
        try await page.click("dialog form.answer button")
        try await page.until("document.querySelector('\(card("cats"))').textContent.includes('version 2.0.0')")
        try await page.click("button[aria-label='Remove: Cats']")
        try await page.until("!document.querySelector('\(card("cats"))')")
        #expect(try await home.packs().isEmpty)
        try await expectNoErrors(in: page)
    }

    @Test func `forms install and remove where the browser runs no scripts`() async throws {
        let page = try await open(in: Firefox(runsScripts: false))
        try await page.click(card("cups") + " button")
        while try await !page.text(of: card("cups")).contains("Installed") {
            try await page.load(page.address)
        }
        #expect(try await home.packs().keys.contains("org.example.cups"))
        try await page.click("nav a[href='/library']")
        try await page.click("button[aria-label='Remove: Cups']")
        #expect(try await page.text(of: "#library").contains("Nothing is installed"))
        #expect(try await home.packs().isEmpty)
        try await page.click("nav a[href='/chat']")
        #expect(try await page.text(of: "noscript .notice").contains("The chat needs JavaScript"))
    }

    // MARK: Chat, skins and settings

    @Test func `a sticker is sent in the chat, which changes with the skin in use`() async throws {
        try await home.must("install", "org.example.cups")
        try await home.must("skin", "use", "light")
        let browser = try await Firefox()
        let page = try await open(in: browser)
        try await page.show("/chat?as=a")
        try await page.until("!document.getElementById('chat').hidden && document.querySelector('.skinned')")
        try await page.click("#tray-button")
        try await page.until("document.activeElement.dataset.sticker === 'smile'")
        try await page.press(.right)
        try await page.press(.enter)
        try await page.until("document.querySelector('#messages img')?.naturalWidth > 0")
        #expect(try await page.value("document.querySelector('#messages img').alt") == .string("A winking cup"))

        let color = "getComputedStyle(document.querySelector('[data-skin=chat_window]')).backgroundColor"
        _ = try await page.value("window.color = \(color)")
        let skins = try await browser.open(#require(page.value("location.origin").text) + "/skins")
        try await skins.click("#skin-dark button")
        try await skins.until("document.querySelector('#skin-dark .state')?.textContent === 'In use'")
        try await page.until("\(color) !== window.color")
        try await page.keepPicture(as: "firefox-chat")
        try await expectNoErrors(in: page)
        try await expectNoErrors(in: skins)
    }

    @Test func `the tray in another web chat finds a sticker, and shows favourites`() async throws {
        try await home.must("install", "org.example.cups")
        let server = try await PageServer()
        try server.link("chat", to: FrontEndFiles.directory.appending(path: "web").path)
        let address = try #require(await home.must("web", "--no-open", "--json").json["address"]?.text)
        try await home.must("config", "set", "web.allowedOrigins", String(server.url.dropLast()))
        let token = try await home.must("web", "tokens", "create", "tray", "--scope", "read,install").output
        let page = try await Firefox().open(server.url + "chat/index.html")
        _ = try await page.value(
            """
            (() => {
              document.getElementById("address").value = "\(address)";
              document.getElementById("token").value = "\(token.trimmingCharacters(in: .whitespacesAndNewlines))";
              document.getElementById("product").value = "org.example.dogs";
              document.getElementById("connection").requestSubmit();
            })()
            """)
        let tray = "document.querySelector('store-tray')?.shadowRoot"
        let stickers =
            "[...\(tray)?.querySelectorAll('[part~=sticker]') ?? []].map(({ dataset }) => dataset.sticker).join()"
        try await page.until(stickers + " === 'smile,wink'")
        try await home.must("stickers", "favourite", "org.example.cups", "wink")
        try await page.until(stickers + " === 'wink,smile,wink'")
        _ = try await page.value(
            """
            (() => {
              const field = \(tray).querySelector("input");
              field.value = "winking";
              field.dispatchEvent(new Event("input", { bubbles: true }));
            })()
            """)
        try await page.until(stickers + " === 'wink'")
        _ = try await page.value("\(tray).querySelector('[part~=sticker]').click()")
        try await page.until("document.querySelector('#messages img')?.alt === 'A winking cup'")
        try await expectNoErrors(in: page)
    }

    @Test func `a setting is changed on its page`() async throws {
        let page = try await open(in: Firefox())
        try await page.show("/settings")
        _ = try await page.value("document.getElementById('setting-downloads.attempts').value = '9'")
        try await page.click("button[aria-label='Save: downloads.attempts']")
        try await page.until("document.querySelector(\"button[aria-label='Reset: downloads.attempts']\")")
        #expect(try await home.must("config", "get", "downloads.attempts").output == "9\n")
        try await expectNoErrors(in: page)
    }

    // MARK: All pages

    private static let paths = [
        "/store", "/library", "/stickers", "/skins", "/chat", "/settings", "/store/org.example.cups",
    ]

    @Test(arguments: ["en", "ar"])
    func `no page is wider than a narrow window, and each is in the reader's language`(language: String) async throws {
        try await home.must("install", "org.example.cups")
        let page = try await open(in: Firefox(language: language))
        try await page.resize(width: 320, height: 640)
        for path in Self.paths {
            try await page.show(path)
            #expect(try await page.value("document.documentElement.lang") == .string(language))
            #expect(
                try await page.value("getComputedStyle(document.body).direction")
                    == .string(language == "ar" ? "rtl" : "ltr"), "\(path)")
            // A scroll bar takes part of the width.
            let isWider = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            #expect(try await page.value(isWider) == .bool(false), "\(path)")
            #expect(try await page.value("/\\[\\[|\\]\\]/.test(document.body.innerHTML)") == .bool(false), "\(path)")
            try await page.keepPicture(as: "firefox-\(language)-\(path.dropFirst().replacing("/", with: "-"))")
        }
        try await expectNoErrors(in: page)
    }

    @Test func `errors of scripts and violations of the policy are found`() async throws {
        let page = try await open(in: Firefox())
        _ = try await page.value(
            """
            (() => {
              const script = document.createElement("script");
              script.textContent = "1";
              document.body.append(script);
              setTimeout(() => { throw new Error("thrown in the page"); });
            })()
            """)
        var errors: [String] = []
        while errors.count < 2 { errors = try await page.errors() }
        #expect(errors.contains { $0.contains("Content-Security-Policy") }, "\(errors)")
        #expect(errors.contains { $0.contains("thrown in the page") }, "\(errors)")
    }
}
