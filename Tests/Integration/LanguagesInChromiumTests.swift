import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The pages of a real daemon in the languages of their readers.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct LanguagesInChromiumTests {
    private let home: TestHome
    private let origin: Origin
    private let browser: Chromium

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        origin = try Origin()
        browser = try Chromium()
        StoreDocuments.publish(["Cups": 200_000], on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    private static let paths = [
        "/store", "/library", "/stickers", "/stickers?q=none", "/skins", "/skins/dark", "/chat", "/chat?skin=dark",
        "/settings", "/store/org.example.cups", "/library/disk", "/removals", "/settings/add-store",
        "/settings/stores/shop", "/settings/tokens",
    ]

    @Test(arguments: ["de", "fr", "es", "ca", "ar"])
    func `each page is in the reader's language, and none has a text in brackets`(language: String) async throws {
        let page = try await browser.logIn(to: home)
        let navigation = "document.querySelector('nav').textContent"
        let english = try #require(await page.value(navigation).text)
        try await page.read(language: language)
        for path in Self.paths {
            try await page.show(path)
            #expect(try await page.value("document.documentElement.lang") == .string(language))
            let direction = language == "ar" ? "rtl" : "ltr"
            #expect(try await page.value("getComputedStyle(document.body).direction") == .string(direction))
            let text = try #require(await page.value("document.documentElement.innerHTML").text)
            #expect(!text.contains("[[") && !text.contains("]]"), "\(path)")
            for width in [320, 900] {
                try await page.resize(width: width, height: 700)
                let wider = """
                    [...document.querySelectorAll('main *')].filter((element) => element.scrollWidth > \(width))
                      .map((element) => element.outerHTML.slice(0, 200)).join()
                    """
                #expect(try await page.value(wider) == .string(""), "\(path) \(language) \(width)")
                try await page.expectNoWider(than: width, "\(path) \(language)")
            }
            try await page.keepPicture(as: "\(language)-\(path.dropFirst())")
        }
        #expect(try await page.value(navigation) != .string(english))
        // A text that a script can't have would be an error of its syntax.
        for script in ["live", "chat", "bubbles", "client", "embed", "skin", "stickers", "return"] {
            #expect(try await page.value(untranslatedText(in: script)) == .bool(false), "\(script) \(language)")
            let result = try await page.value(
                "import('/assets/\(script).js').then(() => 'loaded', (error) => error.name)")
            #expect(result != .string("SyntaxError"), "\(script) \(language)")
        }
    }

    /// An expression that is true if a string literal of a script begins with the brackets of a text to translate.
    ///
    /// Other brackets may begin an array of arrays.
    private func untranslatedText(in script: String) -> String {
        "fetch('/assets/\(script).js').then((response) => response.text()).then((text) => /[\"`]\\[\\[/.test(text))"
    }

    @Test func `a click installs in another language, and an error is in it`() async throws {
        let page = try await browser.logIn(to: home)
        try await page.read(language: "de-AT,fr;q=0.5")
        try await page.show("/store")
        let button = "document.querySelector('[data-product] button')"
        #expect(try await page.value(button + ".textContent") == .string("Installieren"))
        _ = try await page.value(button + ".click()")
        try await page.until("document.querySelector('[data-product]').textContent.includes('Installiert')")
        // Scripts and the error page are in the language, too.
        #expect(try await page.value(untranslatedText(in: "live")) == .bool(false))
        try await page.show("/store/nowhere/org.example.gone")
        #expect(try await page.value("document.title").text?.hasPrefix("Fehler") == true)
        #expect(
            try await page.value("document.querySelector('.error').textContent").text?.contains("there is") == false)
    }

    @Test func `what scripts show of a download is in the reader's language`() async throws {
        try await home.must("config", "set", "library.maximumSize", "1500")
        let page = try await browser.logIn(to: home)
        try await page.read(language: "de")
        try await page.show("/store")
        try await page.until("document.getElementById('offline').hidden")
        let client = "import('/assets/client.js')"
        for (bytes, text) in [(999, "999 Bytes"), (6800, "6,8 kB"), (1_000_000, "1 MB"), (999_600, "1 MB")] {
            #expect(try await page.value("\(client).then(({ size }) => size(\(bytes)))") == .string(text))
        }
        let download =
            "{ state: 'Downloading', activity: 'transferring', bytesReceived: 2500, bytesExpected: 6800, rate: 1200 }"
        #expect(
            try await page.value("\(client).then(({ progressText }) => progressText(\(download)))")
                == "wird heruntergeladen · 2,5 kB von 6,8 kB · 1,2 kB/s")
        let times = [
            (59, "noch 59 s"), (3_599, "noch 59 min 59 s"), (3_660, "noch 1 h 1 min"), (90_000, "noch 1 d 1 h"),
        ]
        for (seconds, text) in times {
            #expect(try await page.value("\(client).then(({ timeLeft }) => timeLeft(\(seconds)))") == .string(text))
        }
        // What the script announces is the event's English text in German; the card has the hint as well.
        _ = try await page.value("document.querySelector('[data-product] button').click()")
        let error = "mit 'org.example.cups' würde die Bibliothek"
        try await page.until("document.getElementById('status').textContent.startsWith(\"\(error)\")")
        try await page.until(
            "document.querySelector('[data-product] .error')?.textContent.includes('Pakete deinstallieren oder')")
        try await page.keepPicture(as: "de-failed")
        // The error of a request, with another text than that of a download.
        let problem = "\(client).then(({ Daemon }) => new Daemon(location.origin).request('/v1/packs/none'))"
        #expect(
            try await page.value("\(problem).catch(({ code, message }) => `${code} ${message}`)")
                == "pack.not-installed 'none' ist nicht installiert.")
    }

    @Test func `the number and the unit of an amount keep their order in text from right to left`() async throws {
        StoreDocuments.publish(["Gold": 6000], with: ["productPrice": "1.99 EUR"], on: origin)
        try await home.must("refresh")
        let page = try await browser.logIn(to: home)
        try await page.read(language: "ar")
        // Returns for each fact with a number and a unit whether the number is to the left of the unit.
        let order = """
            [...document.querySelectorAll(".facts bdi")].filter(({ textContent }) => /^[0-9.]+ [^0-9 ]+$/.test(textContent)).map((fact) => {
              const [text, space] = [fact.firstChild, fact.textContent.indexOf(" ")];
              const place = (start, end) => {
                const range = document.createRange();
                range.setStart(text, start);
                range.setEnd(text, end);
                return range.getBoundingClientRect().left;
              };
              return `${fact.textContent}: ${place(0, space) < place(space + 1, text.length) ? "left" : "right"}`;
            }).join()
            """
        for path in ["/store", "/store/org.example.gold"] {
            try await page.show(path)
            let size = try #require(await page.value("document.body.textContent.match(/[0-9.]+ كيلوبايت/)?.[0]").text)
            #expect(try await page.value(order) == .string("1.99 EUR: left,\(size): right"), "\(path)")
            try await page.keepPicture(as: path == "/store" ? "ar-amounts" : "ar-amounts-product")
        }
        let label = "document.querySelector('[data-product] button').textContent"
        #expect(try await page.value(label).text?.contains("\u{2068}1.99 EUR\u{2069}") == true)
    }
}
