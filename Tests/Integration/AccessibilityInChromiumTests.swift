import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Every page of the browser front-end by the rules of axe-core for WCAG 2.2 AA, in light and dark, wide and narrow.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(
    .hangGuard, .needs(Chromium.program, debian: "chromium"),
    .enabled(if: AccessibilityRules.path != nil, "axe-core is missing (PyPI: axe-playwright-python)"))
struct AccessibilityInChromiumTests {
    private let home: TestHome
    private let store: TestStore
    private let origin: Origin
    private let browser: Chromium

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        store = try await TestStore()
        origin = try Origin()
        browser = try Chromium()
        try await store.add("org.example.cups", files: StickerPacks.cups())
        try await store.add("org.example.moons", files: StickerPacks.moons())
        try await store.add(
            "org.example.suns", price: "2.50 EUR", files: ["01-sun.png": TestFiles.data("Packs/weather/01-sun.png")])
        try await store.add(
            "org.example.weather", kind: "plugin", information: #"{"permissions":["network"]}"#,
            files: ["README.txt": Data("Weather".utf8)])
        try await store.publish()
        origin.serve(folder: store.publicPath)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "org.example.cups")
    }

    private func expectNoViolations(
        _ name: String, in page: Page, isDecidable: Bool = true, location: SourceLocation = #_sourceLocation
    ) async throws {
        try await AccessibilityRules.expectFollowed(by: page, as: name, isDecidable: isDecidable, location: location)
    }

    @Test func `the pages of stores, products and packs follow the rules`() async throws {
        // One product whose download takes long, another that can be updated, and one whose store has withdrawn it.
        let second = try Origin()
        let archive = StoreDocuments.pack(1, size: 400_000)
        second.serve("/dogs.zip", archive)
        second.always("/dogs.zip", .crawlAt(100_000))
        second.serve("/cats.zip", StoreDocuments.pack(2))
        func publish(cats version: String) {
            let cats = StoreDocuments.product(
                "org.example.cats", version: version, archive: StoreDocuments.pack(2), at: "/cats.zip",
                with: ["productName": "Cats", "publisher": "Example"])
            let dogs = StoreDocuments.product(
                "org.example.dogs", archive: archive, at: "/dogs.zip", with: ["productName": "Dogs"])
            let broken = StoreDocuments.product(
                "org.example.broken", archive: archive, at: "ftp://example.org/a.zip", with: ["productName": "Broken"])
            StoreDocuments.formatTwo([cats, dogs, broken], on: second)
        }
        publish(cats: "1.0.0")
        try await home.must("store", "add", "second", second.address, "--unsigned")
        try await home.must("install", "org.example.cats")
        publish(cats: "2.0.0")
        try await home.must("refresh")
        let page = try await browser.logIn(to: home)
        let dogs = "document.querySelector('[data-product=\"org.example.dogs\"]')"
        _ = try await page.value(dogs + ".querySelector('button').click()")
        try await page.until("\(dogs).querySelector('progress').value > 0")
        // A page that changes while it is examined has elements that are not in it any more.
        try await home.must("pause", "org.example.dogs")
        try await page.until("\(dogs).textContent.includes('Resume')")
        try await expectNoViolations("store", in: page)
        for (name, path) in [
            ("search without a result", "/store?words=nothing-has-these-words"),
            ("installed product", "/store/shop/org.example.cups"), ("product", "/store/shop/org.example.moons"),
            ("paid product", "/store/shop/org.example.suns"), ("plugin", "/store/shop/org.example.weather"),
            ("product with a download", "/store/second/org.example.dogs"), ("library", "/library"),
            ("settings", "/settings"), ("disk use", "/library/disk"), ("removal without packs", "/removals"),
        ] {
            try await page.show(path)
            try await expectNoViolations(name, in: page)
        }
    }

    @Test func `the pages of stickers and skins follow the rules`() async throws {
        try await home.must("install", "org.example.moons")
        try await home.must("stickers", "favourite", "org.example.cups", "wink")
        let page = try await browser.logIn(to: home)
        try await page.recordSent("smile", of: "org.example.cups")
        for (name, path) in [
            ("stickers", "/stickers"), ("found stickers", "/stickers?q=cup"),
            ("no found sticker", "/stickers?q=nothing-has-these-words"),
            ("one pack", "/stickers?pack=org.example.cups"), ("skins", "/skins"),
        ] {
            try await page.show(path)
            try await expectNoViolations(name, in: page)
        }
        for skin in ["light", "dark"] {
            // The skins have a picture behind the messages.
            for path in ["/skins/\(skin)", "/chat?skin=\(skin)"] {
                try await page.show(path)
                try await expectNoViolations("trial of \(skin), \(path.dropFirst())", in: page, isDecidable: false)
            }
        }
        // A skin whose parent is missing.
        let folder = home.path + "/data/packs/orphan.purchasedTheme"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(#"<skin identifier="orphan" name="Orphan" version="1" parent="gone"/>"#.utf8)
            .write(to: URL(filePath: folder + "/skin.xml"))
        try await home.must("skin", "use", "dark")
        try await page.show("/skins")
        try await page.until("document.querySelector('#skin-orphan .error')?.textContent.includes('gone')")
        try await expectNoViolations("skins that can't be used", in: page)
    }

    @Test func `the pages for consent, errors and logging in follow the rules`() async throws {
        let page = try await browser.logIn(to: home)
        try await page.show("/store/shop/org.example.weather")
        _ = try await page.value("document.querySelector('button.main').click()")
        try await page.until("document.querySelector('h1').textContent === 'Permissions'")
        try await expectNoViolations("consent", in: page)
        try await page.show("/store/org.example.no-such-product")
        try await page.until("document.querySelector('.notice.error')")
        try await expectNoViolations("error", in: page)
        _ = try await page.value("document.querySelector('form[action=\"/logout\"] button').click()")
        try await page.until("document.querySelector('h1')?.textContent === 'Log in'")
        try await page.until("document.readyState === 'complete'")
        try await expectNoViolations("login", in: page)
    }

    @Test func `the page that is shown while the daemon is away follows the rules`() async throws {
        let page = try await browser.logIn(to: home)
        _ = try await page.value("navigator.serviceWorker.ready.then(() => true)")
        try await home.must("daemon", "stop")
        try await page.show("/library")
        try await page.until("document.querySelector('h1').textContent === 'The daemon does not respond'")
        try await expectNoViolations("offline", in: page)
    }

    @Test func `the library and the stickers without packs follow the rules`() async throws {
        try await home.must("uninstall", "org.example.cups")
        let page = try await browser.logIn(to: home)
        for path in ["/library", "/stickers", "/chat"] {
            try await page.show(path)
            // The skin has a picture behind the messages.
            try await expectNoViolations(
                "\(path.dropFirst()) without packs", in: page, isDecidable: path != "/chat")
        }
    }

    @Test func `the chat follows the rules with messages of all kinds, in both preinstalled skins`() async throws {
        let (ada, bo) = try await browser.openChat(of: home)
        try await home.must("install", "org.example.moons")
        let made = try await home.must("stickers", "reference", "org.example.moons", "moon", "--json").json
        try await home.must("uninstall", "org.example.moons")
        for (index, page) in [ada, bo].enumerated() {
            for sample in ["link", "answer", "location", "contact", "file"] {
                _ = try await page.value("document.querySelector('[data-sample=\(sample)]').click()")
            }
            _ = try await page.value("document.querySelector('[data-sticker=wink]').click()")
            try await page.write(try #require(made["reference"]?.text))
            let count = "document.querySelectorAll('#messages .message').length"
            for either in [ada, bo] { try await either.until("\(count) >= \(7 * (index + 1))") }
        }
        _ = try await ada.value("document.getElementById('tray-button').click()")
        try await ada.until("document.querySelector('.skinned')")
        try await expectNoViolations("chat with skin light", in: ada)
        _ = try await ada.value("window.color = \(Self.color)")
        try await home.must("skin", "use", "dark")
        try await ada.until("\(Self.color) !== window.color")
        _ = try await ada.value("document.getElementById('samples-button').click()")
        try await expectNoViolations("chat with skin dark", in: ada)
    }

    private static let color = "getComputedStyle(document.querySelector('[data-skin=chat_window]')).backgroundColor"

    @Test func `the rules find what is wrong`() async throws {
        let page = try await browser.logIn(to: home)
        _ = try await page.value(
            """
            (() => {
              document.documentElement.removeAttribute("lang");
              document.getElementById("main").insertAdjacentHTML("beforeend", "<img src='/assets/icon.svg'><button></button>");
              document.querySelector(".count").style.color = document.body.style.backgroundColor = "#777";
            })()
            """)
        let violations = try await AccessibilityRules.violations(in: page)
        for rule in ["html-has-lang", "image-alt", "button-name", "color-contrast"] {
            #expect(violations.contains { $0.hasPrefix(rule + " ") }, "\(rule): \(violations)")
        }
    }
}
