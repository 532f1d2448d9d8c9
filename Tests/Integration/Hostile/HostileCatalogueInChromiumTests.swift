import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// A catalogue with markup, scripts, addresses that run, marks of direction and the longest texts in each of its members, on
/// all pages of a real daemon in a browser.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct HostileCatalogueInChromiumTests {
    private let home: TestHome
    private let origin: Origin

    /// Ends each kind of markup and template in which a text may be, and runs a script.
    private static let markup = #"""
        <script>window.pwned=1</script>"'><img src=x onerror=window.pwned=1><svg onload=window.pwned=1>{{{name}}}{{#id}}
        ${window.pwned=1}[[Install]]{sequence}{name}
        """#.replacing("\n", with: "")
    /// Letters from right to left, after a mark that turns the direction of what follows.
    private static let bidirectional = "\u{202E}\u{2066}\u{5D0}\u{5D1}\u{5D2} 1"
    private static let script = "javascript:window.pwned=1"
    private static let data = "data:text/html,<script>window.pwned=1</script>"
    /// As long as a catalogue may have it, without a place to break.
    private static let long = String(repeating: "W", count: 16_000)

    private enum Identifier {
        static let cups = "org.example.cups"
        static let markup = #""><img src=x onerror=window.pwned=1>"#
        static let long = "org.example." + String(repeating: "i", count: 900)
        static let spaces = "a pack"
        static let installed = [
            cups, markup, long, spaces, "org.example.bidi", "org.example.skin", "org.example.emoji",
        ]
        static let others = ["org.example.priced", "org.example.kind", "org.example.address", "org.example.plugin"]
    }

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0", "STORECTL_CATALOGUE_REFRESH_AFTER": "3600"])
        origin = try Origin()
        try publish("1.0.0")
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        for identifier in Identifier.installed { try await home.must("install", "--", identifier) }
    }

    // MARK: The store

    private func publish(_ version: String) throws {
        let image = ImageForge.png(3, 3)
        let stickers = ZipForge().file("pack.json", try information(Self.markup)).file("a.png", image)
            .file("b.png", image)
        let long = ZipForge().file("pack.json", try information(String(Self.long.prefix(3_000)))).file("a.png", image)
            .file("b.png", image)
        let skin = ZipForge().file(
            "skin.xml",
            Array(
                #"<skin identifier="org.example.skin" name="\#(Self.escaped(Self.markup))" version="\#(version)"/>"#
                    .utf8)
        ).file("chat.xml", Array("<theme><instances/></theme>".utf8))
        let plugin = ZipForge().file("README.txt", [UInt8]("x".utf8))
        let emoji = ZipForge().file("1f642.png", image)
        var products: [[String: Any]] = []
        func add(_ identifier: String, _ archive: ZipForge, _ more: [String: Any] = [:]) {
            let path = "/\(products.count)-\(version).zip"
            let bytes = archive.build()
            origin.serve(path, bytes)
            products.append(
                StoreDocuments.product(
                    identifier, version: version, archive: bytes, at: path,
                    with: Self.members(Self.markup).merging(details(products.count, version)) { $1 }.merging(more) {
                        $1
                    }))
        }
        add(Identifier.cups, stickers)
        add(Identifier.markup, stickers)
        // A name that is longer than the limit is none.
        add(Identifier.long, long, ["productName": String(repeating: "x", count: 100_000)])
        add(Identifier.spaces, stickers, Self.members(Self.long))
        add(
            "org.example.bidi", stickers,
            Self.members(Self.bidirectional).merging(["dependencies": [Identifier.cups]]) { $1 })
        add("org.example.skin", skin, ["productType": "skin"])
        add("org.example.emoji", emoji, ["productType": "emoji"])
        add("org.example.priced", stickers, ["productPrice": String(Self.long.prefix(250))])
        add("org.example.kind", stickers, ["productType": "<b>" + Self.long.prefix(250)])
        add("org.example.address", stickers, ["productResourceURL": Self.script])
        let permissions = ["network", "<script>window.pwned=1</script>", String(Self.long.prefix(250))]
        add("org.example.plugin", plugin, ["productType": "plugin", "permissions": permissions])
        StoreDocuments.formatTwo(products, on: origin)
    }

    /// Returns the members of a product that are texts, with one text in all of them, and its addresses.
    private static func members(_ text: String) -> [String: Any] {
        [
            "productName": text, "publisher": text, "license": text, "authors": [text, text], "tags": [text],
            "categories": [text, text + "2", script], "locales": [text], "publishedAt": text,
            "mirrors": [script, data],
            "productResourceImageURL": script, "productDetailsSpriteImageURL": data,
            "productDetailsPreviewImagesURLsArray": [script, data, "preview"], "homepage": script, "purchaseURL": data,
        ]
    }

    /// Serves the details of a product, and returns the members that refer to them.
    private func details(_ number: Int, _ version: String) -> [String: Any] {
        let texts = [Self.markup, Self.bidirectional, Self.long].joined(separator: "\n").prefix(16_000)
        let document = StoreDocuments.json([
            "format": 2, "productDetailsInfo": ["en": String(texts)], "changes": ["en": String(texts.prefix(3_000))],
            "productDetailsChanges": ["en": String(texts.prefix(3_000))], "productDetailsImageURL": Self.script,
        ])
        origin.serve("/\(number)-\(version).json", document)
        return [
            "productDetailsURL": "/\(number)-\(version).json", "productDetailsSize": document.count,
            "productDetailsSHA256": StoreDocuments.hash(document),
        ]
    }

    /// Returns an information file with one text in all members of a sticker pack.
    private func information(_ text: String) throws -> [UInt8] {
        StoreDocuments.json([
            "name": ["en": text], "publisher": text, "license": text, "website": Self.script,
            "stickers": [
                [
                    "id": String(text.prefix(60)), "file": "a.png", "emoji": ["🙂"], "description": ["en": text],
                    "keywords": [text],
                ],
                ["id": Self.script, "file": "b.png", "description": ["en": Self.bidirectional]],
            ],
        ])
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    // MARK: The pages

    /// Records, before any script of a page, what its policy had to refuse, and errors of its scripts.
    private static let recorder = """
        window.refused = [];
        addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => refused.push(violatedDirective + " " + blockedURI));
        addEventListener("error", ({ message }) => { if (message) refused.push(message); });
        """

    /// Returns what is wrong with the page that is shown.
    private static let problems = #"""
        (() => {
          const wrong = [...window.refused];
          if (window.pwned !== undefined) wrong.push("a script ran");
          if (document.querySelectorAll("#main h1").length !== 1) wrong.push("no heading");
          if (!document.querySelector("nav a[href='/library']")) wrong.push("no navigation");
          const addresses = ["href", "src", "action", "formaction", "data", "poster"];
          for (const element of document.querySelectorAll("*")) for (const { name, value } of element.attributes) {
            if (name.startsWith("on") || name === "style" && !element.closest("svg")) wrong.push(`${element.tagName} ${name}`);
            if (addresses.includes(name) && !/^(\/(?!\/)|#|$)/.test(value)) wrong.push(`${element.tagName} ${name}=${value.slice(0, 60)}`);
          }
          if (document.scripts.length > 3 || document.querySelector("main script, main svg, main style")) wrong.push("markup");
          const text = document.documentElement.textContent;
          if (/[\u202A-\u202E\u2066\u2067]/.test(text)) wrong.push("a mark of direction");
          const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode())
            if (/[\u05D0-\u05D2]/.test(node.data) && !node.parentElement.closest("bdi, [dir=auto], option, .error, .visually-hidden")) wrong.push(`not isolated: ${node.data.slice(0, 60)}`);
          if (document.documentElement.scrollWidth > innerWidth) wrong.push(`${document.documentElement.scrollWidth} pixels wide: ` +
            [...document.querySelectorAll("main *")].filter((element) => element.getBoundingClientRect().right > innerWidth && !element.closest(".wide"))
              .slice(0, 3).map(({ tagName, className }) => `${tagName}.${className}`).join());
          const dialog = document.querySelector("dialog");
          if (dialog && dialog.scrollWidth > dialog.clientWidth) wrong.push("wider than the dialog");
          if (document.documentElement.outerHTML.length > 200_000) wrong.push("longer than 200 kB");
          const labels = [...document.querySelectorAll("title, h1, h2, h3, button, option")].map(({ textContent }) => textContent);
          for (const element of document.querySelectorAll("[aria-label], [title]")) labels.push(element.ariaLabel ?? "", element.title);
          for (const label of labels) if (label.length > 600) wrong.push(`a label of ${label.length} characters: ${label.slice(0, 60)}`);
          return wrong;
        })()
        """#

    /// Checks the page that is shown in a narrow and in a wide window.
    private func check(_ page: Page, _ name: String) async throws {
        for width in [320, 1280] {
            try await page.resize(width: width, height: 800)
            let problems = try await page.value(Self.problems)
            #expect(problems == [], "\(name) at \(width): \(problems.asWritten)")
        }
    }

    @Test func `no text and no address of a store runs on a page, breaks it, or turns its direction`() async throws {
        let page = try await Chromium().open(try await WebClient.link(home))
        try await page.until("location.pathname === '/store' && document.readyState === 'complete'")
        try await page.stayVisible()
        try await page.runInEachDocument(Self.recorder)
        let products = (Identifier.installed + Identifier.others).map { "/store/shop/" + PathSegment.encode($0) }
        let words = PathSegment.encode(Self.markup)
        let selection = Identifier.installed.map { "select:\(PathSegment.encode($0))=true" }.joined(separator: "&")
        var paths = [
            "/store", "/store?sort=newest", "/store?words=\(words)",
            "/store?category=\(PathSegment.encode(Self.script))",
        ]
        paths += products
        paths += ["/library", "/library/disk", "/library/history", "/library/history?product=\(words)"]
        paths += ["/removals?" + selection, "/verification?" + selection, "/stickers", "/stickers?q=\(words)"]
        paths += [
            "/stickers?pack=\(PathSegment.encode(Identifier.markup))", "/skins", "/skins/org.example.skin", "/chat",
        ]
        paths += ["/settings", "/settings/stores/shop", "/settings/tokens", "/store/\(words)"]
        for path in paths {
            try await page.show(path)
            try await check(page, path)
            try await page.keepPicture(as: "hostile-\(path.prefix(40).replacing("/", with: "-"))")
        }
        try await page.show("/store")
        #expect(try await page.value("document.querySelectorAll('.card').length") == .integer(11))
        #expect(
            try await page.value(
                "document.getElementById('results').textContent.includes('<script>window.pwned=1</script>')") == true)
        // What the script requests while the user types is a part of the page.
        let search = "document.querySelector('input[type=search]')"
        _ = try await page.value(
            "\(search).value = 'window.pwned'; \(search).dispatchEvent(new Event('input', { bubbles: true }))")
        try await page.until("location.search.includes('words=window.pwned')")
        #expect(
            try await page.value(
                "document.getElementById('results').textContent.includes('[[Install]]{sequence}{name}')") == true)
        try await check(page, "the results of a search")
        try await sendSticker(in: page)
        try await askForConsent(in: page)
        try await update(in: page)
    }

    /// Sends a sticker with its texts in the chat.
    private func sendSticker(in page: Page) async throws {
        try await page.show("/chat")
        try await page.until("!document.getElementById('chat').hidden")
        _ = try await page.value(
            "document.getElementById('tray-button').click(); document.querySelector('#tray button[data-sticker]').click()"
        )
        try await page.until("document.querySelector('.message .sticker-image, .message .stand-in')")
        try await check(page, "the chat")
    }

    /// Asks for the installation of the plugin, which needs consent.
    private func askForConsent(in page: Page) async throws {
        try await page.show("/store/shop/org.example.plugin")
        _ = try await page.value("document.querySelector('#product button.main').click()")
        try await page.until("document.querySelector('#main input[name=consent]')")
        try await check(page, "the page that asks for consent")
        #expect(try await home.packs()["org.example.plugin"] == nil)
    }

    /// Updates all packs with their plan.
    private func update(in page: Page) async throws {
        try publish("2.0.0")
        try await home.must("refresh")
        try await page.show("/library")
        try await page.until("document.querySelector('#updates button')")
        try await check(page, "the library with updates")
        _ = try await page.value("document.querySelector('#updates button').click()")
        try await page.until("document.querySelector('dialog')?.open")
        try await check(page, "the plan of the updates")
        try await page.keepPicture(as: "hostile-plan")
        _ = try await page.value("document.querySelector('dialog form.answer button').click()")
        try await eventually {
            let packs = try await home.packs()
            return Identifier.installed.allSatisfy { packs[$0]?["version"] == "2.0.0" }
        }
        try await page.show("/library")
        try await check(page, "the library after the update")
        // An identifier with spaces is one word of the form.
        _ = try await page.value("document.getElementById('pack-a pack').querySelector('input[type=checkbox]').click()")
        _ = try await page.value("document.querySelector('#selection button').click()")
        try await page.until("document.querySelector('dialog')?.open")
        try await check(page, "the plan of a removal")
        _ = try await page.value("document.querySelector('dialog form.answer button').click()")
        try await eventually { try await home.packs()[Identifier.spaces] == nil }
        #expect(try await home.packs().count == Identifier.installed.count - 1)
    }
}
