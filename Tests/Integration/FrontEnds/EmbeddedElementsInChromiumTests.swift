import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The elements for other web chats, in the sample chat, which another origin serves.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct EmbeddedElementsInChromiumTests {
    private let home: TestHome
    private let origin: Origin
    private let server: PageServer
    private let browser: Chromium
    /// The address of the daemon's pages, and the origin of the chat.
    private let address: String
    private let chatOrigin: String

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        origin = try Origin()
        server = try await PageServer()
        browser = try Chromium()
        try server.link("chat", to: FrontEndFiles.directory.appending(path: "web").path)
        chatOrigin = String(server.url.dropLast())
        try Self.publish(on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "org.example.cups")
        address = try #require(await home.must("web", "--no-open", "--json").json["address"]?.text)
        try await home.must("config", "set", "web.allowedOrigins", chatOrigin)
    }

    /// Serves a store with a pack of two stickers, a large pack, an emoji set, and a paid pack.
    private static func publish(on origin: Origin, dogs version: String = "1.0.0") throws {
        let cups = StickerPacks.archive(of: try StickerPacks.cups())
        let dogs = StoreDocuments.pack(2, size: 400_000)
        let faces = ZipForge().file("1f642.png", ImageForge.bytes(500, seed: 3)).build()
        origin.serve("/cups.zip", cups)
        origin.serve("/faces.zip", faces)
        origin.serve("/dogs.zip", dogs)
        StoreDocuments.formatTwo(
            [
                StoreDocuments.product(
                    "org.example.cups", archive: cups, at: "/cups.zip", with: ["productName": "Cups"]),
                StoreDocuments.product(
                    "org.example.dogs", version: version, archive: dogs, at: "/dogs.zip", with: ["productName": "Dogs"]),
                StoreDocuments.product(
                    "org.example.faces", archive: faces, at: "/faces.zip", with: ["productType": "emoji"]),
                StoreDocuments.product(
                    "org.example.gold", archive: cups, at: "/cups.zip", with: ["productPrice": "1.99 EUR"]),
            ], on: origin)
    }

    private func token(_ scopes: String) async throws -> String {
        try await home.must("web", "tokens", "create", scopes.replacing(",", with: "-"), "--scope", scopes).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Opens the sample chat, and connects it.
    private func open(token: String, product: String = "org.example.dogs") async throws -> Page {
        let page = try await browser.open(server.url + "chat/index.html")
        try await page.stayVisible()
        _ = try await page.value(
            """
            (() => {
              document.getElementById("address").value = "\(address)";
              document.getElementById("token").value = "\(token)";
              document.getElementById("product").value = "\(product)";
              document.getElementById("connection").requestSubmit();
            })()
            """)
        return page
    }

    private let tray = "document.querySelector('store-tray').shadowRoot"
    private let button = "document.querySelector('store-button').shadowRoot"
    private var main: String { "\(button).querySelector('[part~=main]')" }
    private func stickers(_ sections: String = "") -> String {
        "[...\(tray).querySelectorAll('\(sections) [part~=sticker]')].map(({ dataset }) => dataset.sticker).join()"
    }

    // MARK: Stickers

    @Test func `a sticker is chosen with the keyboard, and the chat gets its reference and its image`() async throws {
        let page = try await open(token: try await token("read,install"))
        try await page.until("document.querySelector('store-tray').shadowRoot && \(stickers()) === 'smile,wink'")
        try await page.until("\(tray).querySelector('img').naturalWidth > 0")
        _ = try await page.value("\(tray).querySelector('input').focus()")
        try await page.press(.tab)
        try await page.press(.right)
        try await page.press(.enter)
        try await page.until("document.querySelector('#messages img')?.naturalWidth > 0")
        #expect(try await page.value("document.querySelector('#messages img').alt") == .string("A winking cup"))
        let made = try await home.must("stickers", "reference", "org.example.cups", "wink", "--json").json
        #expect(
            try await page.value("document.querySelector('#messages [data-reference]').dataset.reference")
                == made["reference"])
        // The recent stickers of all front-ends have it, the tray among them.
        try await page.until(stickers() + " === 'wink,smile,wink'")
        #expect(try await page.value("\(tray).querySelector('[part~=title]').textContent") == .string("Recent"))
        // The focus stays on the sticker of the pack, which is not the first one with its name any more.
        let focus = "[...\(tray).querySelectorAll('[part~=sticker]')].indexOf(\(tray).activeElement)"
        #expect(try await page.value(focus) == .integer(2))
        try await home.must("stickers", "favourite", "org.example.cups", "smile")
        try await page.until(stickers() + " === 'wink,smile,smile,wink'")
        #expect(try await page.value(focus) == .integer(3))
    }

    @Test func `a sticker that is pressed while the tray changes is chosen`() async throws {
        let token = try await token("read,install")
        let page = try await open(token: token)
        try await page.until("\(tray)?.querySelector('img')?.naturalWidth > 0 && \(stickers()) === 'smile,wink'")
        _ = try await page.value(
            """
            (() => {
              const request = window.fetch;
              window.fetch = async (...arguments) => {
                const response = await request(...arguments);
                if (`${arguments[0].url ?? arguments[0]}`.includes("/favourites")) window.hasNewList = true;
                return response;
              };
            })()
            """)
        // The press takes the focus from another control.
        _ = try await page.value("\(tray).querySelector('input').focus()")
        let place = try await page.hold("\(tray).querySelector('[data-sticker=smile]')")
        try await home.must("stickers", "favourite", "org.example.cups", "wink")
        try await page.until("window.hasNewList")
        // Time for what the element would do.
        let request = "fetch('\(address)/v1/stickers', { headers: { Authorization: 'Bearer \(token)' } })"
        for _ in 0..<3 { _ = try await page.value("\(request).then((response) => response.text())") }
        #expect(try await page.value(stickers()) == "smile,wink")
        try await page.release(at: place)
        try await page.until("document.querySelector('#messages img')?.naturalWidth > 0")
        try await page.until(stickers() + " === 'smile,wink,smile,wink'")
    }

    @Test func `a sticker that no browser draws, of a pack placed by hand too, is in the tray and in the chat`()
        async throws
    {
        let video = DocumentedErrorCodes.sources.deletingLastPathComponent().appending(
            path: "Tests/Images/bars-vp9.webm")
        let pack = home.path + "/data/packs/moving.stickers"
        try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
        try Data(contentsOf: video).write(to: URL(filePath: pack + "/bars.webm"))
        try Data(AnimationForge.disc(from: 100)).write(to: URL(filePath: pack + "/disc.tgs"))
        try Data(AnimationForge.gzip(Array("{}".utf8))).write(to: URL(filePath: pack + "/damaged.tgs"))
        let page = try await open(token: try await token("read,install"))
        try await page.until(tray)
        // An animated WebP has a chunk with this name.
        _ = try await page.value(
            """
            document.querySelector("store-tray").addEventListener("sticker", async ({ detail: { image } }) => {
              window.chosen = { type: image.type, isAnimated: (await image.text()).includes("ANIM") };
            })
            """)
        for (name, side) in [("bars", 96), ("disc", 256)] {
            let sticker = tray + ".querySelector('[data-sticker=\(name)]')"
            try await page.until("\(sticker)?.querySelector('img')?.naturalWidth > 0")
            _ = try await page.value("(window.chosen = undefined, \(sticker).click())")
            let image = "[...document.querySelectorAll('#messages img')].at(-1)"
            try await page.until("\(image)?.alt === '' && \(image).naturalWidth === \(side)")
            try await page.until("window.chosen")
            #expect(
                try await page.value("window.chosen") == ["type": "image/webp", "isAnimated": .bool(true)], "\(name)")
            // No store has the pack, so there is no reference to the sticker.
            #expect(try await page.value(image + ".closest('[data-reference]').dataset.reference") == .string(""))
        }
        // Of one without a thumbnail, the browser gets the file itself, and can't draw it.
        try await page.until("\(tray).querySelector('[data-sticker=damaged] [part=name]')?.textContent === 'damaged'")
    }

    @Test(.enabled(if: AccessibilityRules.path != nil, "axe-core is missing (PyPI: axe-playwright-python)"))
    func `the sample chat with both elements follows the rules for accessibility`() async throws {
        origin.always("/dogs.zip", .crawlAt(100_000))
        let page = try await open(token: try await token("read,install"))
        try await page.until("\(tray)?.querySelector('img')?.naturalWidth > 0")
        try await page.until("\(main).textContent === 'Install'")
        _ = try await page.value(main + ".click()")
        try await page.until("\(button).querySelector('progress').value > 0")
        try await home.must("pause", "org.example.dogs")
        try await page.until(main + ".textContent === 'Resume'")
        for (size, width, height) in [("wide", 1280, 1000), ("narrow", 320, 640)] {
            try await page.resize(width: width, height: height)
            #expect(try await page.value("document.documentElement.scrollWidth <= \(width)") == .bool(true))
            for scheme in ["light", "dark"] {
                try await page.emulate(["prefers-color-scheme": scheme])
                let violations = try await AccessibilityRules.violations(in: page, isComplete: size == "wide")
                #expect(violations == [], "\(size), \(scheme)")
                try await page.keepPicture(as: "embedded-\(size)-\(scheme)")
            }
        }
    }

    @Test func `the search finds stickers, and packs that are installed later appear by themselves`() async throws {
        try await home.must("uninstall", "org.example.cups")
        let page = try await open(token: try await token("read"))
        try await page.until("\(tray)?.textContent.includes('No sticker pack is installed')")
        try await home.must("install", "org.example.cups")
        try await page.until(stickers() + " === 'smile,wink'")
        _ = try await page.value("\(tray).querySelector('input').focus()")
        try await page.type("winking")
        try await page.until(stickers() + " === 'wink'")
        #expect(
            try await page.value("\(tray).querySelector('[role=status]').textContent") == .string("Stickers found: 1"))
        try await page.type(" nothing")
        try await page.until("\(tray).textContent.includes('No sticker matches.')")
    }

    // MARK: Products

    @Test func `the button installs a product, with its progress, a pause and an update`() async throws {
        origin.always("/dogs.zip", .crawlAt(100_000))
        let page = try await open(token: try await token("read,install"))
        try await page.until("\(button) && \(main).textContent === 'Install'")
        #expect(try await page.value(main + ".getAttribute('aria-label')") == .string("Install: Dogs"))
        _ = try await page.value("\(main).focus(), \(main).click()")
        try await page.until("\(main).textContent === 'Pause' && \(button).querySelector('progress').value > 0")
        #expect(try await page.value("\(button).activeElement === \(main)") == .bool(true))
        try await page.keepPicture(as: "embedded-progress")
        _ = try await page.value(main + ".click()")
        try await page.until(main + ".textContent === 'Resume'")
        #expect(
            try await page.value("document.querySelector('store-button').getAttribute('state')") == .string("paused"))
        _ = try await page.value("\(button).querySelector('[part~=cancel]').click()")
        try await page.until(main + ".textContent === 'Install'")
        origin.always("/dogs.zip")
        _ = try await page.value(main + ".click()")
        try await page.until(main + ".textContent === 'Installed'")
        try await page.until(
            "document.getElementById('messages').textContent.includes('org.example.dogs is installed')")
        #expect(try await home.packs().keys.contains("org.example.dogs"))
        try Self.publish(on: origin, dogs: "2.0.0")
        try await home.must("refresh")
        try await page.until(main + ".textContent === 'Update'")
        _ = try await page.value(main + ".click()")
        try await page.until(main + ".textContent === 'Installed'")
        #expect(try await home.packs()["org.example.dogs"]?["version"].text == "2.0.0")
    }

    @Test func `the button uses an emoji set, shows a price, and follows its attribute`() async throws {
        try await home.must("install", "org.example.faces")
        let page = try await open(token: try await token("read,install"), product: "org.example.faces")
        try await page.until("\(button) && \(main).textContent === 'Use'")
        _ = try await page.value(main + ".click()")
        try await page.until(main + ".textContent === 'In use'")
        #expect(try await home.must("config", "get", "emoji.set").output == "org.example.faces\n")
        func show(_ product: String) async throws {
            _ = try await page.value("document.querySelector('store-button').product = '\(product)'")
        }
        try await show("org.example.gold")
        try await page.until(main + ".textContent === 'Buy for 1.99 EUR'")
        try await show("org.example.none")
        try await page.until("!\(button).querySelector('[part~=problem]').hidden")
        #expect(try await page.value(main + ".getAttribute('aria-disabled')") == .string("true"))
        #expect(try await page.value("document.querySelector('store-button').hasAttribute('state')") == .bool(false))
    }

    // MARK: Problems

    private func problem(_ element: String) -> String { "\(element).querySelector('[part~=problem]')" }

    /// Lets responses break off while the variable `isCut` is true, and requests fail while `isAway` is.
    ///
    /// The function `cut` breaks the event stream off that was opened last.
    private func breakResponses(in page: Page) async throws {
        _ = try await page.value(
            """
            (() => {
              const request = window.fetch;
              window.fetch = async (...arguments) => {
                if (window.isAway) throw new TypeError("away");
                const response = await request(...arguments);
                let end;
                const body = response.body.pipeThrough(new TransformStream({ start(controller) { end = controller; } }));
                const error = () => end.error(new TypeError("cut"));
                if (`${arguments[0].url ?? arguments[0]}`.includes("/v1/events")) window.cut = error;
                else if (window.isCut) error();
                return new Response(body, { status: response.status, headers: response.headers });
              };
            })()
            """)
    }

    @Test func `a problem of a load is shown until a load succeeds`() async throws {
        let page = try await open(token: try await token("read,install"))
        try await page.until("\(tray) && \(stickers()) === 'smile,wink' && \(main).textContent === 'Install'")
        try await breakResponses(in: page)
        for (isCut, version, sticker) in [(true, "2.0.0", "smile"), (false, "3.0.0", "wink")] {
            _ = try await page.value("window.isCut = \(isCut)")
            try Self.publish(on: origin, dogs: version)
            try await home.must("refresh")
            try await home.must("stickers", "favourite", "org.example.cups", sticker)
            for element in [tray, button] { try await page.until("\(problem(element)).hidden === \(!isCut)") }
            guard isCut else { continue }
            for element in [tray, button] {
                #expect(
                    try await page.value(problem(element) + ".textContent") == .string("The daemon does not respond."))
            }
        }
        try await page.until(stickers() + " === 'smile,wink,smile,wink'")
    }

    @Test func `the elements say that the daemon does not respond until it responds again`() async throws {
        let page = try await open(token: try await token("read,install"))
        try await page.until("\(tray) && \(stickers()) === 'smile,wink' && \(main).textContent === 'Install'")
        try await breakResponses(in: page)
        // The stream begins again, and has an event, after which the next one continues.
        for isVisible in [false, true] { try await page.setVisible(isVisible) }
        try await page.until("window.cut")
        try await home.must("stickers", "favourite", "org.example.cups", "smile")
        try await page.until(stickers() + " === 'smile,smile,wink'")
        _ = try await page.value("(window.isAway = true, window.cut())")
        for element in [tray, button] { try await page.until("!\(problem(element)).hidden") }
        _ = try await page.value("window.isAway = false")
        for element in [tray, button] { try await page.until("\(problem(element)).hidden") }
    }

    @Test func `a failed download is reported until the next one begins`() async throws {
        origin.always("/dogs.zip", .status(404))
        let page = try await open(token: try await token("read,install"))
        try await page.until("\(button) && \(main).textContent === 'Install'")
        _ = try await page.value(main + ".click()")
        try await page.until("!\(problem(button)).hidden")
        origin.always("/dogs.zip")
        try await home.must("install", "org.example.dogs")
        try await page.until("\(main).textContent === 'Installed' && \(problem(button)).hidden")
    }

    // MARK: Refusals

    @Test func `a token without the scope, or none, fails with a message in the element`() async throws {
        let page = try await open(token: try await token("read"))
        try await page.until("\(button) && \(main).textContent === 'Install'")
        _ = try await page.value(main + ".click()")
        let problem = problem(button)
        try await page.until("!\(problem).hidden")
        let refusal = JSONValue.string("The access token does not permit this: it lacks the scope 'install'.")
        #expect(try await page.value(problem + ".textContent") == refusal)
        #expect(try await home.packs().keys.contains("org.example.dogs") == false)
        // The message of a click outlasts the requests that an event causes.
        let requests = "performance.getEntriesByType('resource').filter"
        let loads = requests + "(({ name }) => name.includes('/v1/products/')).length"
        _ = try await page.value("window.loads = \(loads)")
        try Self.publish(on: origin, dogs: "2.0.0")
        try await home.must("refresh")
        try await page.until("\(loads) > window.loads")
        try await page.rest(milliseconds: 500)
        #expect(try await page.value(problem + ".textContent") == refusal)

        let wrong = try await open(token: "wrong")
        for element in [tray, button] {
            try await wrong.until("\(element)?.querySelector('[part~=problem]').hidden === false")
            #expect(
                try await wrong.value("\(element).querySelector('[part~=problem]').textContent")
                    == .string("The access token is wrong or was revoked."))
        }
        #expect(try await wrong.value(stickers()) == .string(""))
    }

    @Test func `an origin that the setting does not have gets neither the module nor an answer`() async throws {
        let token = try await token("read,install")
        try await home.must("config", "set", "web.allowedOrigins", "https://other.example")
        let page = try await open(token: token)
        try await page.until("!document.getElementById('problem').hidden")
        #expect(
            try await page.value("document.getElementById('problem').textContent.includes('web.allowedOrigins')")
                == .bool(true))
        #expect(try await page.value("customElements.get('store-tray') === undefined") == .bool(true))

        // A page with a copy of the module, as the daemon serves it, says the same in its elements.
        let client = try await WebClient.logIn(home)
        for name in ["assets/embed.js", "assets/client.js"] {
            try server.put(name, try await client.get("/" + name).body)
        }
        try server.put(
            "copy.html",
            """
            <!DOCTYPE html><script type="module" src="assets/embed.js"></script>
            <store-tray address="\(address)" token="\(token)"></store-tray>
            <store-button address="\(address)" token="\(token)" product="org.example.dogs"></store-button>
            """)
        let copy = try await browser.open(server.url + "copy.html")
        try await copy.stayVisible()
        for element in [tray, button] {
            try await copy.until("\(element)?.querySelector('[part~=problem]').hidden === false")
            let text = try await copy.value("\(element).querySelector('[part~=problem]').textContent").text ?? ""
            #expect(text.contains("'web.allowedOrigins' does not have \(chatOrigin)"), "\(text)")
        }
        // As soon as the setting has it, both work, without a change of the page.
        try await home.must("config", "set", "web.allowedOrigins", chatOrigin)
        try await copy.until(stickers() + " === 'smile,wink'")
        try await copy.until(main + ".textContent === 'Install'")
        #expect(try await copy.value("\(tray).querySelector('[part~=problem]').hidden") == .bool(true))
    }
}
