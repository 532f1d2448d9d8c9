import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The chat of two windows of a browser, with what a real daemon has installed.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct ConversationInChromiumTests {
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
        try await store.add("org.example.skies", files: StickerPacks.moons(named: "Skies <b>"))
        try await store.publish()
        origin.serve(folder: store.publicPath)
        try await home.must("store", "add", "shop", origin.url.absoluteString, "--unsigned")
        try await home.must("install", "org.example.cups")
        let set = home.path + "/data/packs/faces.emoji"
        try FileManager.default.createDirectory(atPath: set, withIntermediateDirectories: true)
        try TestFiles.data("Packs/weather/01-sun.png").write(to: URL(filePath: set + "/1f642.png"))
        try await home.must("emoji", "use", "faces")
    }

    /// The last element of a page's messages that matches a selector.
    private func last(_ selector: String) -> String { "[...document.querySelectorAll('#messages \(selector)')].at(-1)" }

    @Test func `a text with emoji and a sticker arrive in the other window`() async throws {
        let (ada, bo) = try await browser.openChat(of: home)
        try await ada.write("Hello :-) <b>https://example.org/a?b=1</b>")
        let body = "document.querySelector('#messages .in [data-skin=bubble_in_text_body]')"
        try await bo.until(body)
        // The emoticon is drawn by the set in use, a link is one, and markup is text.
        #expect(try await bo.value(body + ".querySelector('img.emoji').alt") == .string("🙂"))
        try await bo.until(body + ".querySelector('img.emoji').naturalWidth > 0")
        #expect(try await bo.value(body + ".querySelector('a').href") == .string("https://example.org/a?b=1"))
        #expect(try await bo.value(body + ".querySelector('b') === null") == .bool(true))
        // The sender sees that it was read, because the other window is visible.
        try await ada.until("document.querySelector('.out [data-skin=bubble_out_status_read]')")

        _ = try await bo.value("document.getElementById('tray-button').click()")
        _ = try await bo.value("document.querySelector('[data-sticker=wink]').click()")
        let image = "document.querySelector('#messages .in .sticker-image')"
        try await ada.until(image + "?.complete")
        #expect(try await ada.value(image + ".alt") == .string("A winking cup"))
        #expect(try await ada.value(image + ".closest('[data-skin=bubble_in_sticker]') !== null") == .bool(true))
        // The recent stickers of all front-ends have it.
        let recents = try await home.must("stickers", "recents", "--json").json["stickers"]?.elements ?? []
        #expect(recents.map { $0["sticker"]["id"].text } == ["wink"])
        for sample in ["answer", "link", "location", "contact", "file"] {
            _ = try await ada.value("document.querySelector('[data-sample=\(sample)]').click()")
        }
        for kind in ["text_quote", "text_link", "location", "contact", "file"] {
            try await bo.until("document.querySelector('#messages [data-skin=bubble_in_\(kind)]')")
        }
        // A window that is opened again gets the messages so far, and knows its own.
        _ = try await bo.value("(window.isOld = true, location.reload())")
        try await bo.until("!window.isOld && document.querySelectorAll('#messages .in').length >= 6")
        #expect(try await bo.value("document.querySelectorAll('#messages .out').length") == .integer(1))
        _ = try await ada.value("document.getElementById('tray-button').click()")
        for scheme in ["light", "dark"] {
            try await ada.emulate(["prefers-color-scheme": scheme])
            try await ada.keepPicture(as: "conversation-\(scheme)")
        }
    }

    @Test func `a sticker that is not installed is fetched at a click, and its pack installed in place`() async throws {
        let (ada, bo) = try await browser.openChat(of: home)
        try await home.must("install", "org.example.skies")
        let made = try await home.must("stickers", "reference", "org.example.skies", "moon", "--json").json
        try await home.must("uninstall", "org.example.skies")
        let requests = origin.requests.count
        try await ada.write("Look: \(try #require(made["reference"]?.text)).")
        let box = last(".in [data-reference]")
        try await bo.until(box)
        #expect(try await bo.value(box + ".querySelector('.stand-in').textContent") == .string("🌙"))
        #expect(try await bo.value(box + ".querySelector('a').textContent") == .string("Skies <b>"))
        #expect(
            try await bo.value(box + ".querySelector('a').getAttribute('href')")
                == .string("/store/shop/org.example.skies"))
        #expect(origin.requests.count == requests, "nothing was fetched yet")
        let button = { (label: String) in
            "[...\(box).querySelectorAll('button')].find((button) => button.textContent === '\(label)')"
        }
        try await bo.keepPicture(as: "conversation-offer")
        _ = try await bo.value(button("Show sticker") + ".click()")
        try await bo.until(box + ".querySelector('.sticker-image')")
        #expect(try await home.packs()["org.example.skies"] == nil)
        #expect(origin.requests.count > requests)
        // The offer stays until the pack is installed, in both windows.
        _ = try await bo.value(button("Install pack") + ".click()")
        try await bo.until("\(box).querySelector('.sticker-image') && !\(box).querySelector('button')")
        let own = last(".out [data-reference]")
        try await ada.until("\(own).querySelector('.sticker-image') && !\(own).querySelector('button')")
        try await bo.until("document.querySelector('#tray [data-product=\"org.example.skies\"]')")
        #expect(try await home.packs().keys.contains("org.example.skies"))
    }

    /// Publishes and installs a pack with a WebM and a TGS, `bars` and `disc`, and returns its identifier.
    private func installAnimations() async throws -> String {
        let pack = "org.example.moving"
        let information = #"{"kind":"sticker","stickers":[{"id":"bars","file":"1.webm"},{"id":"disc","file":"2.tgs"}]}"#
        try await store.add(
            pack,
            files: [
                "pack.json": Data(information.utf8), "1.webm": TestFiles.data("Images/bars-vp9.webm"),
                "2.tgs": Data(AnimationForge.disc(from: 100)),
            ])
        try await store.publish()
        try await home.must("refresh")
        try await home.must("install", pack)
        return pack
    }

    @Test(arguments: ["bars", "disc"])
    func `an animation of a pack that is not installed is fetched at a click, and moves`(sticker: String) async throws {
        let pack = try await installAnimations()
        let made = try await home.must("stickers", "reference", pack, sticker, "--json").json
        try await home.must("uninstall", pack)
        let (ada, bo) = try await browser.openChat(of: home)
        try await ada.write(try #require(made["reference"]?.text))
        let box = last(".in [data-reference]")
        try await bo.until(box + "?.querySelector('button')")
        _ = try await bo.value(box + ".querySelector('button').click()")
        let image = box + ".querySelector('.sticker-image')"
        try await bo.until(image + "?.naturalWidth > 0")
        let isAnimated = "fetch(\(image).src).then((r) => r.text()).then((text) => text.includes('ANIM'))"
        #expect(try await bo.value(isAnimated) == .bool(true))
        #expect(try await home.packs()[pack] == nil)
    }

    /// Whether the user prefers that nothing moves.
    @Test(arguments: [false, true])
    func `stickers that no browser draws are shown by thumbnails, which move unless the user prefers them still`(
        isStill: Bool
    ) async throws {
        let moving = try await installAnimations()
        let (ada, bo) = try await browser.openChat(of: home)
        for page in [ada, bo] {
            try await page.emulate(["prefers-reduced-motion": isStill ? "reduce" : "no-preference"])
        }
        for (pack, sticker, side) in [(moving, "bars", 96), (moving, "disc", 256), ("org.example.cups", "wink", nil)] {
            let made = try await home.must("stickers", "reference", pack, sticker, "--json").json
            try await ada.write(try #require(made["reference"]?.text))
            for (page, way) in [(ada, "out"), (bo, "in")] {
                let image = last(".\(way) [data-product=\"\(pack)\"] .sticker-image")
                try await page.until("\(image)?.alt === '\(sticker == "wink" ? "A winking cup" : sticker)'")
                try await page.until(image + ".complete")
                #expect(try await page.value(image + ".naturalWidth > 0") == .bool(true), "\(sticker), \(way)")
                guard let side else {
                    // A browser draws the image itself.
                    let path = try await page.value("new URL(\(image).src).pathname").text
                    #expect(path == "/v1/packs/org.example.cups/files/03-wink.webp")
                    continue
                }
                #expect(try await page.value(image + ".naturalWidth") == .integer(side), "\(sticker), \(way)")
                // An animated WebP has a chunk with this name.
                let isAnimated = "fetch(\(image).src).then((r) => r.text()).then((text) => text.includes('ANIM'))"
                #expect(try await page.value(isAnimated) == .bool(!isStill), "\(sticker), \(way)")
            }
        }
    }

    @Test func `a sticker of a store that is not added shows its emoji and the reason`() async throws {
        let (ada, bo) = try await browser.openChat(of: home)
        let address = try #require(URL(string: "https://foreign.example/"))
        let foreign = try #require(
            StickerReference(
                store: StoreKey(address: address), productIdentifier: "org.example.birds", version: "1.0.0",
                sticker: "sing", sha256: SHA256Digest(of: []), emoji: "🙂"))
        try await ada.write(foreign.text)
        let box = last(".in [data-reference]")
        try await bo.until(box)
        #expect(try await bo.value(box + ".querySelector('.stand-in img').alt") == .string("🙂"))
        #expect(
            try await bo.value(box + ".querySelector('.note').textContent")
                == .string("It is from a store that is not added here."))
        #expect(try await bo.value(box + ".querySelectorAll('button').length") == .integer(0))
    }

    @Test func `a message shows how far it has come, and the other window that its person writes`() async throws {
        let (ada, bo) = try await browser.openChat(of: home)
        _ = try await bo.value("document.getElementById('text').focus()")
        try await bo.type("Wait")
        let presence = "document.getElementById('presence')"
        try await ada.until(presence + ".textContent === 'Writing'")
        #expect(try await ada.value(presence + ".dataset.skin") == .string("header_status_typing"))
        try await bo.press(.enter)
        try await ada.until(last(".in .body") + "?.textContent === 'Wait'")
        #expect(try await ada.value(presence + ".dataset.skin") == .string("header_status"))

        let status = last(".out .status") + ".dataset.status"
        _ = try await ada.value("document.querySelector('[data-sample=failure]').click()")
        try await ada.until(last(".out .status") + "?.dataset.status === 'failed'")
        // What has failed has not reached the other window, nor one that is opened later.
        _ = try await bo.value("(window.isOld = true, location.reload())")
        try await bo.until("!window.isOld && document.querySelectorAll('#messages .message').length === 1")
        _ = try await ada.value(last(".out .again") + ".click()")
        try await bo.until(last(".in .body") + "?.textContent === 'Are you there?'")
        try await ada.until(status + " === 'read'")
        #expect(try await ada.value("document.querySelector('#messages .again') === null") == .bool(true))

        // Without the other window a message stays one that was sent, until that is opened again.
        _ = try await bo.value("(window.isOld = true, location.assign('/settings'))")
        try await ada.until(presence + ".hidden")
        try await ada.write("Good night")
        try await ada.until(last(".out .body") + "?.textContent === 'Good night'")
        #expect(try await ada.value(status) == .string("sent"))
        _ = try await bo.value("location.assign('/chat?as=b')")
        try await ada.until(status + " === 'read'")
    }

    @Test func `everything can be done with the keyboard`() async throws {
        let (ada, bo) = try await browser.openChat(of: home)
        _ = try await ada.value("document.getElementById('text').focus()")
        try await ada.type("Good morning")
        try await ada.press(.enter)
        try await bo.until(last(".in .body") + "?.textContent === 'Good morning'")
        // The field keeps the focus; the next stop is the button of the tray.
        #expect(try await ada.value("document.activeElement.id") == .string("text"))
        try await ada.press(.tab)
        #expect(try await ada.value("document.activeElement.id") == .string("tray-button"))
        try await ada.press(.enter)
        #expect(try await ada.value("document.activeElement.dataset.sticker") == .string("smile"))
        try await ada.press(.right)
        #expect(try await ada.value("document.activeElement.dataset.sticker") == .string("wink"))
        try await ada.press(.right)
        #expect(try await ada.value("document.activeElement.dataset.sticker") == .string("wink"))
        try await ada.press(.enter)
        try await bo.until(last(".in .sticker-image"))
        try await ada.press(.escape)
        #expect(try await ada.value("document.activeElement.id") == .string("tray-button"))
        #expect(try await ada.value("document.getElementById('tray').hidden") == .bool(true))
        #expect(
            try await ada.value("document.getElementById('tray-button').getAttribute('aria-expanded')")
                == .string("false"))
    }

    @Test func `the bubbles change with the skin in use while both windows are open`() async throws {
        let (ada, bo) = try await browser.openChat(of: home)
        try await ada.write("Hello")
        var before: [JSONValue] = []
        for page in [ada, bo] {
            try await page.until("document.querySelector('#messages .message') && document.querySelector('.skinned')")
            before.append(try await page.value(color))
        }
        try await home.must("skin", "use", "dark")
        for (page, light) in zip([ada, bo], before) { try await page.until("\(color) !== '\(light.text ?? "")'") }
        try await bo.keepPicture(as: "conversation-dark-skin")
    }

    private let color =
        "getComputedStyle(document.querySelector('#messages [data-skin^=bubble_][data-skin$=_text]')).backgroundColor"

    @Test func `a narrow window in either direction of writing shows everything`() async throws {
        let (ada, bo) = try await browser.openChat(of: home)
        try await bo.write(String(repeating: "Donaudampfschifffahrtsgesellschaft", count: 6))
        for sample in ["answer", "location", "contact", "file"] {
            _ = try await bo.value("document.querySelector('[data-sample=\(sample)]').click()")
        }
        try await ada.until("document.querySelectorAll('#messages .message').length >= 5")
        try await ada.resize(width: 320, height: 640)
        for direction in ["ltr", "rtl"] {
            _ = try await ada.value("document.documentElement.dir = '\(direction)'")
            _ = try await ada.value("document.getElementById('tray-button').click()")
            #expect(try await ada.value("document.documentElement.scrollWidth <= 320") == .bool(true), "\(direction)")
            let isInside =
                "[...document.querySelectorAll('#messages, .bubble, .compose button')]"
                + ".every((part) => part.scrollWidth <= part.clientWidth + 1 && part.getBoundingClientRect().right <= 320)"
            #expect(try await ada.value(isInside) == .bool(true), "\(direction)")
            try await ada.keepPicture(as: "conversation-narrow-\(direction)")
        }
    }

    @Test func `without JavaScript the page says what it needs and what is in use`() async throws {
        let client = try await WebClient.logIn(home)
        let page = try await client.get("/chat?as=b", ["Accept": "text/html"])
        #expect(page.status == 200 && page.body.contains("<noscript>") && page.body.contains("needs JavaScript"))
        #expect(page.body.contains("<bdi>faces</bdi>") && page.body.contains("1 pack<"))
        #expect(page.body.contains(#"data-as="b""#) && page.body.contains(#"href="/chat?as=a""#))
        #expect(page.body.contains(#"<a href="/chat" aria-current="page">Chat</a>"#))
        #expect(!page.body.contains("<style") && !page.body.contains(" style="))
        let other = try await client.get("/chat?as=%3Cb%3E", ["Accept": "text/html"])
        #expect(other.status == 200 && other.body.contains(#"data-as="a""#))
    }
}
