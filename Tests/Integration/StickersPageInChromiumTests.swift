import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The page of the stickers of a real daemon in a browser: what its scripts add to the forms.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct StickersPageInChromiumTests {
    private let home: TestHome
    private let browser: Chromium
    private let packs: StickerPacks

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        browser = try Chromium()
        packs = try await StickerPacks(installedIn: home)
    }

    /// Logs the browser in, and opens the page of the stickers.
    private func open() async throws -> Page {
        let page = try await browser.logIn(to: home, at: "/stickers")
        try await page.until("document.querySelector('[draggable=true]')")
        return page
    }

    private static let order = "[...document.querySelectorAll('[data-pack]')].map(({ dataset }) => dataset.pack).join()"
    private static let status = "document.getElementById('status').textContent"
    private static let focus = "document.activeElement.getAttribute('aria-label')"

    private func names(in section: String) -> String {
        "[...document.querySelectorAll('#\(section) [data-sticker]')].map(({ dataset }) => dataset.sticker).join()"
    }

    private func button(_ label: String, in section: String) -> String {
        "document.querySelector('[id=\"\(section)\"] button[aria-label=\"\(label)\"]')"
    }

    /// Returns the order of the packs that the daemon has.
    private func savedOrder(_ page: Page) async throws -> String? {
        try await page.value("fetch('/v1/stickers/order').then((r) => r.json()).then(({ packs }) => packs.join())").text
    }

    @Test func `search follows typing, and an empty field shows the packs again`() async throws {
        let page = try await open()
        _ = try await page.value("document.querySelector('input[type=search]').focus()")
        try await page.type("winking")
        try await page.until(names(in: "found") + " === 'wink'")
        #expect(try await page.value("location.search") == .string("?q=winking"))
        try await page.until(Self.status + " === '1 sticker'")
        #expect(try await page.value("document.activeElement.name") == .string("q"))
        #expect(try await page.value("document.querySelectorAll('[data-pack]').length") == .integer(0))
        try await page.type("x")
        try await page.until("document.querySelector('.empty')?.textContent === 'No sticker matches.'")
        _ = try await page.value(
            "(() => { const field = document.activeElement; field.value = ''; field.dispatchEvent(new Event('input', { bubbles: true })); })()"
        )
        try await page.until(Self.order + " === 'org.example.cups,org.example.moons,org.example.spins'")
        #expect(try await page.value("location.pathname + location.search") == .string("/stickers"))
    }

    @Test func `an animation of which no thumbnail can be made shows its text`() async throws {
        let pack = home.path + "/data/packs/broken.stickers"
        try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
        try Data(AnimationForge.gzip(Array("{}".utf8))).write(to: URL(filePath: pack + "/1.tgs"))
        let information = #"{"stickers":[{"id":"1","file":"1.tgs","emoji":["🎈"],"description":"A balloon"}]}"#
        try Data(information.utf8).write(to: URL(filePath: pack + "/pack.json"))
        let page = try await open()
        let image = button("Favourite: 🎈 A balloon", in: "pack-broken") + "?.querySelector('img')"
        try await page.until("(\(image)?.scrollIntoView(), \(image)?.complete && \(image).naturalWidth === 0)")
        #expect(try await page.value(image + ".alt") == .string("🎈 A balloon"))
    }

    @Test func `favourites are marked and taken back with the keyboard, which keeps the focus`() async throws {
        let page = try await open()
        let label = "Favourite: 😉 A winking cup"
        _ = try await page.value(button(label, in: "pack-org.example.cups") + ".focus()")
        try await page.press(.enter)
        try await page.until(names(in: "favourites") + " === 'wink'")
        #expect(try await page.value(Self.focus) == .string(label))
        #expect(try await page.value("document.activeElement.ariaPressed") == .string("true"))
        #expect(
            try await page.value("document.activeElement.closest('section').id") == .string("pack-org.example.cups"))
        let favourites = try await home.must("stickers", "favourite", "--json").json["stickers"]?.elements ?? []
        #expect(favourites.map { $0["sticker"]["id"] } == [.string("wink")])
        try await page.press(.enter)
        try await page.until("!document.getElementById('favourites')")
        #expect(try await page.value("document.activeElement.ariaPressed") == .string("false"))
        #expect(try await page.value(Self.focus) == .string(label))
    }

    @Test func `of two stickers with one name, that which was chosen keeps the focus`() async throws {
        let pack = home.path + "/data/packs/twins.stickers"
        try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
        for name in ["1", "2"] { try Data(ImageForge.png(1, 1)).write(to: URL(filePath: pack + "/\(name).png")) }
        let information = """
            {"stickers":[{"id":"1","file":"1.png","description":"A twin"},{"id":"2","file":"2.png","description":"A twin"}]}
            """
        try Data(information.utf8).write(to: URL(filePath: pack + "/pack.json"))
        let page = try await open()
        _ = try await page.value("document.querySelector('#pack-twins [data-sticker=\"2\"]').focus()")
        try await page.press(.enter)
        try await page.until(names(in: "favourites") + " === '2'")
        #expect(try await page.value("document.activeElement.closest('section').id") == "pack-twins")
        #expect(try await page.value("document.activeElement.dataset.sticker") == "2")
    }

    @Test func `a favourite that leaves its list moves the focus to the next one`() async throws {
        for sticker in ["smile", "wink"] { try await home.must("stickers", "favourite", "org.example.cups", sticker) }
        let page = try await open()
        _ = try await page.value(button("Favourite: 🙂 A smiling cup", in: "favourites") + ".focus()")
        try await page.press(.enter)
        try await page.until(names(in: "favourites") + " === 'wink'")
        #expect(try await page.value(Self.focus) == .string("Favourite: 😉 A winking cup"))
        #expect(try await page.value("document.activeElement.closest('section').id") == .string("favourites"))
    }

    @Test func `what another front-end sends appears, and is forgotten at a click`() async throws {
        let page = try await open()
        #expect(try await page.value("document.getElementById('recents')") == .null)
        try await page.recordSent("smile", of: "org.example.cups")
        try await page.until(names(in: "recents") + " === 'smile'")
        _ = try await page.value("document.querySelector('#recents form[action$=forget] button').click()")
        try await page.until("!document.getElementById('recents')")
        #expect(try await home.must("stickers", "recents", "--json").json["stickers"] == .array([]))
    }

    @Test func `a pack moves with its buttons, which keep the focus, and its position is announced`() async throws {
        let page = try await open()
        _ = try await page.value(button("Move down: Cups", in: "pack-org.example.cups") + ".focus()")
        try await page.press(.enter)
        try await page.until(Self.order + " === 'org.example.moons,org.example.cups,org.example.spins'")
        try await page.until(Self.status + " === 'Cups: position 2 of 3'")
        #expect(try await page.value(Self.focus) == .string("Move down: Cups"))
        try await page.press(.enter)
        try await page.until(Self.status + " === 'Cups: position 3 of 3'")
        #expect(try await page.value("document.activeElement.ariaDisabled") == .string("true"))
        // The last pack stays where it is.
        try await page.press(.enter)
        #expect(try await savedOrder(page) == "org.example.moons,org.example.spins,org.example.cups")
        #expect(try await page.value("document.getElementById('main').textContent.includes('error')") == .bool(false))
    }

    /// Drags the heading of a pack with events as a browser sends them.
    ///
    /// - Parameter isAfter: whether the pointer is in the lower half of the pack over which it is released.
    private func drag(_ pack: String, to other: String, isAfter: Bool, in page: Page) async throws {
        _ = try await page.value(
            """
            (async () => {
              const [from, over] = ["\(pack)", "\(other)"].map((id) => document.getElementById(`pack-org.example.${id}`));
              const dataTransfer = new DataTransfer();
              const send = (element, type) => {
                const box = over.getBoundingClientRect();
                const clientY = \(isAfter ? "box.bottom - 1" : "box.top + 1");
                return element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer, clientX: box.left + 5, clientY }));
              };
              const title = from.querySelector(".pack-title");
              send(title, "dragstart");
              while (!document.querySelector(".arranging")) await new Promise((resolve) => setTimeout(resolve, 5));
              if (send(over, "dragover")) throw new Error("no drop here");
              send(over, "drop");
              send(title, "dragend");
            })()
            """)
    }

    @Test func `a pack is dragged before and behind another one`() async throws {
        let page = try await open()
        try await drag("spins", to: "cups", isAfter: false, in: page)
        try await page.until(Self.order + " === 'org.example.spins,org.example.cups,org.example.moons'")
        try await page.until(Self.status + " === 'Spins: position 1 of 3'")
        #expect(try await page.value("document.querySelector('.arranging, .dragged, .before, .after')") == .null)
        try await drag("spins", to: "moons", isAfter: true, in: page)
        try await page.until(Self.order + " === 'org.example.cups,org.example.moons,org.example.spins'")
        #expect(try await savedOrder(page) == "org.example.cups,org.example.moons,org.example.spins")
        // Where it is already.
        _ = try await page.value(
            "window.submissions = 0; addEventListener('submit', () => { submissions += 1; }, true)")
        try await drag("spins", to: "moons", isAfter: true, in: page)
        try await drag("cups", to: "moons", isAfter: false, in: page)
        #expect(try await page.value("window.submissions") == .integer(0))
    }

    @Test func `a change during a drag is shown after the drop`() async throws {
        let page = try await open()
        _ = try await page.value(
            """
            (async () => {
              window.isReported = false;
              document.addEventListener("store-event", ({ detail }) => { window.isReported ||= detail.type === "stickers"; });
              window.send = (element, type) => {
                const { left, top } = element.getBoundingClientRect();
                const point = { clientX: left + 5, clientY: top + 1 };
                return element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: new DataTransfer(), ...point }));
              };
              window.title = document.getElementById("pack-org.example.spins").querySelector(".pack-title");
              send(title, "dragstart");
              while (!document.querySelector(".arranging")) await new Promise((resolve) => setTimeout(resolve, 5));
            })()
            """)
        try await home.must("stickers", "favourite", "org.example.cups", "wink")
        try await page.until("window.isReported")
        #expect(try await page.value("title.isConnected && !document.getElementById('favourites')") == .bool(true))
        _ = try await page.value(
            """
            (() => {
              const over = document.getElementById("pack-org.example.cups");
              for (const [element, type] of [[over, "dragover"], [over, "drop"], [title, "dragend"]]) send(element, type);
            })()
            """)
        try await page.until(Self.order + " === 'org.example.spins,org.example.cups,org.example.moons'")
        try await page.until(names(in: "favourites") + " === 'wink'")
        #expect(try await page.value("document.querySelector('.arranging, .dragged, .before, .after')") == .null)
    }

    @Test func `an event that changes nothing on the page leaves the lists as they are`() async throws {
        let page = try await open()
        _ = try await page.value(
            """
            (() => {
              window.list = document.querySelector("ul.tray");
              window.responses = 0;
              const { fetch } = window;
              window.fetch = async (...request) => {
                const response = await fetch(...request);
                window.responses += 1;
                return response;
              };
            })()
            """)
        try await home.must("hold", "org.example.moons")
        try await page.until("window.responses >= 1")
        try await home.must("unhold", "org.example.moons")
        // The page requests itself again only after it has handled the response before.
        try await page.until("window.responses >= 2")
        #expect(try await page.value("list.isConnected") == .bool(true))
    }

    @Test func `the stickers of a pack are one stop of the Tab key, in which the arrow keys move`() async throws {
        let page = try await open()
        let stops =
            "[...document.querySelectorAll('[id=\"pack-org.example.cups\"] [data-sticker]')].map(({ tabIndex }) => tabIndex).join()"
        #expect(try await page.value(stops) == .string("0,-1"))
        _ = try await page.value(button("Move down: Cups", in: "pack-org.example.cups") + ".focus()")
        try await page.press(.tab)
        #expect(try await page.value(Self.focus) == .string("Favourite: 🙂 A smiling cup"))
        try await page.press(.right)
        #expect(try await page.value(Self.focus) == .string("Favourite: 😉 A winking cup"))
        #expect(try await page.value(stops) == .string("-1,0"))
        try await page.press(.tab)
        #expect(try await page.value(Self.focus) == .string("Move up: Moons"))
        // The stop of the Tab key stays the same after a change of the page.
        _ = try await page.value(button("Favourite: 😉 A winking cup", in: "pack-org.example.cups") + ".click()")
        try await page.until("document.getElementById('favourites')")
        #expect(try await page.value("document.documentElement.scrollWidth <= innerWidth") == .bool(true))
    }

    @Test(arguments: [false, true])
    func `an animated sticker is animated with the focus, unless the user prefers reduced motion`(
        isReduced: Bool
    ) async throws {
        let page = try await open()
        try await page.emulate(["prefers-reduced-motion": isReduced ? "reduce" : "no-preference"])
        let images = "[id=\"pack-org.example.spins\"] [data-sticker=\"spin\"] img"
        let shown =
            "[...document.querySelectorAll('\(images)')].map((image) => getComputedStyle(image).display !== 'none').join()"
        #expect(try await page.value(shown) == .string("true,false"))
        _ = try await page.value(button("Move up: Spins", in: "pack-org.example.spins") + ".focus()")
        // 'Move down' of the last pack, then the stickers.
        try await page.press(.tab)
        try await page.press(.tab)
        #expect(try await page.value("document.activeElement.dataset.sticker") == .string("spin"))
        try await page.until(shown + " === '\(isReduced ? "true,false" : "false,true")'")
        if !isReduced {
            let animated = "document.querySelector('\(images).animated')"
            try await page.until(animated + ".naturalWidth > 0")
            let isAnimated = "fetch(\(animated).src).then((r) => r.text()).then((text) => text.includes('ANIM'))"
            #expect(try await page.value(isAnimated) == .bool(true))
        }
        let others = "document.querySelectorAll('[id=\"pack-org.example.cups\"] .animated').length"
        #expect(try await page.value(others) == .integer(0))
    }
}
